/** Conversations with an agent: its sessions, and the contexts of each with their lifespans. */
import { randomUUID } from 'node:crypto'
import { check, notFound, statusMessage } from '../errors.ts'
import { languageOf, type Project } from '../project.ts'
import { type Json, messagesIn, printMessage, readMessage, stringsIn } from '../proto.ts'
import { sampleAgents } from '../sample-names.ts'
import { sampleWebhook } from '../samples.ts'
import { synthesizeSpeech } from '../speech.ts'
import { matchIntent, type Turn, type TurnInput } from './match-intent.ts'
import { plainText } from './phrases.ts'
import { contextsFrom, entityTypesFrom, type Input, inputFrom, speechFrom } from './request.ts'
import { activate, contextId, filled, parametersOf, printContext, promptOf, type Session } from './session.ts'

const noWebhook = 'WEBHOOK_STATE_UNSPECIFIED'

/** Completes the turn: sets contexts, calls the webhook, and returns the `queryResult`. */
function resultOf(
  { project, session, input, now }: TurnInput,
  turn: Turn,
): { queryResult: Json; webhookStatus?: Json | undefined } {
  const { intent, missing, cancelled } = turn
  const { common } = intent
  const values = parametersOf(intent, turn.captured, session, input)
  const originals = Object.fromEntries(
    [...turn.captured].map(([alias, { original }]) => [`${alias}.original`, original]),
  )
  const isComplete = missing === undefined && !cancelled
  if (isComplete) {
    if (common.resetContexts === true) session.contexts.clear()
    for (const context of messagesIn(common.outputContexts)) {
      const id = contextId(String(context.name))
      const lifespan = Number(context.lifespanCount ?? 0)
      const known = session.contexts.get(id)?.parameters
      if (lifespan === 0) session.contexts.delete(id)
      else activate(session, now, id, lifespan, { ...known, ...values, ...originals })
    }
  }
  const localized = intent.localized.get(languageOf(project.agent, input.languageCode))
  const fill = (text: string) => filled(text, values, originals, session)
  let messages = messagesIn(localized?.messages).map((message) =>
    printMessage('Message', mapTexts(message, fill) as Json),
  )
  if (missing !== undefined) messages = [{ text: { text: [promptOf(missing)] } }]
  if (cancelled) messages = [{ text: { text: ['Okay, cancelled.'] } }]
  const callsWebhook = isComplete && (common.webhookState ?? noWebhook) !== noWebhook
  const webhook = callsWebhook ? callWebhook(String(common.action ?? '')) : undefined
  if (webhook?.text !== undefined) messages = [{ text: { text: [webhook.text] } }]
  const endInteraction = common.endInteraction === true || undefined
  const queryResult = {
    ...queryParts(input),
    action: common.action || undefined,
    parameters: values,
    allRequiredParamsPresent: isComplete || undefined,
    cancelsSlotFilling: cancelled || undefined,
    fulfillmentText: firstText(messages) || undefined,
    fulfillmentMessages: messages.length === 0 ? undefined : messages,
    webhookSource: webhook?.payload && 'sandbox',
    webhookPayload: webhook?.payload,
    intent: {
      name: intent.name,
      displayName: common.displayName,
      isFallback: common.isFallback === true || undefined,
      endInteraction,
      liveAgentHandoff: common.liveAgentHandoff === true || undefined,
    },
    intentDetectionConfidence: turn.confidence,
    diagnosticInfo: endInteraction && { end_conversation: true },
  }
  return { queryResult, webhookStatus: webhook?.status }
}

function queryParts({ text, event, heard, languageCode }: Input): Json {
  const speechRecognitionConfidence = heard && text !== undefined ? 0.95 : undefined
  return { queryText: (text ?? event?.name) || undefined, speechRecognitionConfidence, languageCode }
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]))
}

/** The first text for all platforms. If there are several variants, it is always the first. */
function firstText(messages: readonly Json[]): string | undefined {
  const found = messages.find(({ platform, text }) => platform === undefined && text !== undefined)
  return stringsIn((found?.text as Json | undefined)?.text)[0]
}

/** A failing webhook does not fail the call: the configured messages are used. */
function callWebhook(action: string): { status: Json; text?: string; payload?: Json } {
  const answer = sampleWebhook.get(action)
  if (answer === undefined) {
    return { status: statusMessage('UNAVAILABLE', 'Webhook call failed. Error: UNAVAILABLE.') }
  }
  return { status: { message: 'Webhook execution successful' }, ...answer }
}

const maxIdLength = 36

export interface SessionPath {
  readonly project: string
  readonly environment: string
  readonly user: string
  readonly session: string
}

export function createConversations(now: () => number) {
  const sessions = new Map<string, Session>()

  function nameOf({ project, environment, user, session }: SessionPath): string {
    return `projects/${project}/agent/environments/${environment}/users/${user}/sessions/${session}`
  }

  function checkPath({ environment, user, session }: SessionPath): void {
    for (const [field, id] of Object.entries({ session, user })) {
      const isShort = [...id].length <= maxIdLength
      check(isShort, `The ${field} id has more than ${maxIdLength} characters.`, 'session')
    }
    if (!(sampleAgents.environments as readonly string[]).includes(environment)) {
      throw notFound(`Environment '${environment}' not found.`)
    }
  }

  function sessionOf(name: string): Session {
    const session = sessions.get(name) ?? { contexts: new Map(), pending: undefined }
    sessions.set(name, session)
    for (const [id, { expiresAt }] of session.contexts) if (expiresAt <= now()) session.contexts.delete(id)
    return session
  }

  function detect(project: Project, path: SessionPath, body: unknown): Json {
    const request = readMessage('DetectIntentRequest', body)
    checkPath(path)
    const name = nameOf(path)
    const isSame = request.session === undefined || request.session === name
    check(isSame, 'The session of the body is not that of the path.', 'session')
    const input = inputFrom(request)
    const speech = speechFrom(request)
    const parameters = (request.queryParams ?? {}) as Json
    const given = contextsFrom(parameters, name)
    const entityTypes = entityTypesFrom(parameters)

    const session = sessionOf(name)
    if (parameters.resetContexts === true) session.contexts.clear()
    for (const { id, lifespan, values } of given) activate(session, now(), id, lifespan, values)
    // Contexts that this turn sets keep their lifespan. All others lose one turn at its end.
    for (const context of session.contexts.values()) context.fresh = false

    const said = { project, session, input, entityTypes, now: now() }
    const turn = matchIntent(said)
    const { queryResult, webhookStatus }: ReturnType<typeof resultOf> =
      turn === undefined ? { queryResult: queryParts(input) } : resultOf(said, turn)
    for (const [id, context] of session.contexts) {
      if (!context.fresh && --context.lifespan <= 0) session.contexts.delete(id)
    }
    const contexts = [...session.contexts.values()].map((context) => printContext(context, name))
    const sentiment = parameters.sentimentAnalysisRequestConfig as Json | undefined
    const asksSentiment = sentiment?.analyzeQueryTextSentiment === true && input.text !== undefined
    const text = String(queryResult.fulfillmentText ?? '')
    return {
      responseId: randomUUID(),
      queryResult: {
        ...queryResult,
        outputContexts: contexts.length === 0 ? undefined : contexts,
        sentimentAnalysisResult: asksSentiment ? sentimentOf(input.text ?? '') : undefined,
      },
      webhookStatus,
      outputAudio: speech && synthesizeSpeech(text, speech.rate, speech.encoding).toString('base64'),
      outputAudioConfig: speech && printMessage('OutputAudioConfig', speech.config),
    }
  }

  return {
    detect,
    deleteContexts(path: SessionPath): void {
      checkPath(path)
      sessions.delete(nameOf(path))
    },
  }
}

const pleasant = new Set('good great nice love lovely thanks thank happy fine excellent'.split(' '))
const unpleasant = new Set('bad terrible awful hate sad wrong angry poor horrible never'.split(' '))

/** A sentiment that is computed from the text alone, by counting the words of two short lists. */
function sentimentOf(text: string): Json {
  const words = plainText(text).toLowerCase().split(' ')
  const good = words.filter((word) => pleasant.has(word)).length
  const bad = words.filter((word) => unpleasant.has(word)).length
  const magnitude = good + bad
  const score = magnitude === 0 ? 0 : (good - bad) / magnitude
  return { queryTextSentiment: { score: score || undefined, magnitude: magnitude || undefined } }
}
