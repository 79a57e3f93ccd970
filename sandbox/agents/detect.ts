/**
 * Conversations: finds the intent of an input by phrases, events and contexts, fills its parameters, asks for those
 * that are missing, and keeps each session's contexts with their life spans.
 */
import { randomUUID } from 'node:crypto'
import { type Captured, entityValue, matchPhrase, plainText, type SessionEntityTypes } from './phrases.ts'
import { languageOf, lowerContext, type Project, type StoredIntent } from './project.ts'
import { type Json, printMessage, readMessage } from './proto.ts'
import { contextsFrom, entityTypesFrom, type Input, inputFrom, speechFrom } from './question.ts'
import { sampleAgents, sampleWebhook } from './samples.ts'
import { invalidArgument, notFound, statusMessage } from './status.ts'
import { speak } from './wave.ts'

interface ActiveContext {
  readonly id: string
  lifespan: number
  /** Set by the turn that is being taken, so not a turn older after it. */
  fresh: boolean
  readonly parameters: Json
  readonly expiresAt: number
}
interface Pending {
  readonly intent: string
  readonly captured: Map<string, Captured>
}
interface Session {
  readonly contexts: Map<string, ActiveContext>
  pending: Pending | undefined
}
interface Match {
  readonly intent: StoredIntent
  readonly captured: ReadonlyMap<string, Captured>
  readonly confidence: number
}

const maxIdLength = 36
const contextLifeMs = 20 * 60_000
const cancelWords = new Set(['cancel', 'stop', 'never mind', 'forget it'])

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

  function check({ environment, user, session }: SessionPath): void {
    for (const [field, id] of Object.entries({ session, user })) {
      if ([...id].length > maxIdLength) {
        throw invalidArgument(`The ${field} id has more than ${maxIdLength} characters.`, 'session')
      }
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

  function activate(session: Session, id: string, lifespan: number, parameters: Json): void {
    session.contexts.set(id, { id, lifespan, parameters, fresh: true, expiresAt: now() + contextLifeMs })
  }

  function detect(project: Project, path: SessionPath, body: unknown): Json {
    const request = readMessage('DetectIntentRequest', body)
    check(path)
    const name = nameOf(path)
    if (request.session !== undefined && request.session !== name) {
      throw invalidArgument('The session of the body is not that of the path.', 'session')
    }
    const input = inputFrom(request)
    const speech = speechFrom(request)
    const parameters = (request.queryParams ?? {}) as Json
    const given = contextsFrom(parameters, name)
    const entityTypes = entityTypesFrom(parameters)

    const session = sessionOf(name)
    if (parameters.resetContexts === true) session.contexts.clear()
    for (const { id, lifespan, values } of given) activate(session, id, lifespan, values)
    // What was active before, or is given with the question, is a turn older after the answer.
    for (const context of session.contexts.values()) context.fresh = false

    const turn = takeTurn(project, session, input, entityTypes)
    const result = turn === undefined ? nothingMatched(input) : resultOf(project, session, input, turn)
    for (const [id, context] of session.contexts) {
      if (!context.fresh && --context.lifespan <= 0) session.contexts.delete(id)
    }
    const { webhookStatus, queryResult } = result
    const asksSentiment = (parameters.sentimentAnalysisRequestConfig as Json | undefined)
      ?.analyzeQueryTextSentiment
    const said = queryResult.fulfillmentText
    return {
      responseId: randomUUID(),
      queryResult: {
        ...queryResult,
        ...(session.contexts.size === 0
          ? {}
          : { outputContexts: [...session.contexts.values()].map((context) => printContext(context, name)) }),
        ...(asksSentiment === true && input.text !== undefined
          ? { sentimentAnalysisResult: sentimentOf(input.text) }
          : {}),
      },
      ...(webhookStatus === undefined ? {} : { webhookStatus }),
      ...(speech === undefined
        ? {}
        : {
            outputAudio: speak(typeof said === 'string' ? said : '', speech.rate, speech.encoding).toString(
              'base64',
            ),
            outputAudioConfig: printMessage('OutputAudioConfig', speech.config),
          }),
    }
  }

  interface Turn extends Match {
    readonly missing: Json | undefined
    readonly cancelled: boolean
  }

  function takeTurn(
    project: Project,
    session: Session,
    input: Input,
    entityTypes: SessionEntityTypes,
  ): Turn | undefined {
    const today = new Date(now())
    const asked = session.pending
    const pendingIntent = asked === undefined ? undefined : project.intents.get(asked.intent)
    session.pending = undefined
    let match: Match | undefined
    if (asked !== undefined && pendingIntent !== undefined && input.text !== undefined) {
      const text = plainText(input.text)
      match = { intent: pendingIntent, captured: asked.captured, confidence: 1 }
      if (cancelWords.has(text.toLowerCase())) return { ...match, missing: undefined, cancelled: true }
      const parameter = missingParameter(pendingIntent, asked.captured)
      if (parameter !== undefined) {
        const value = entityValue(String(parameter.entityTypeDisplayName), text, entityTypes, today)
        if (value !== undefined) {
          const alias = aliasOf(parameter)
          match = { ...match, captured: new Map(asked.captured).set(alias, { value, original: text }) }
        }
      }
    } else match = bestMatch(project, session, input, entityTypes, today)
    if (match === undefined) return undefined
    const missing = missingParameter(match.intent, match.captured)
    if (missing !== undefined)
      session.pending = { intent: match.intent.name, captured: new Map(match.captured) }
    return { ...match, missing, cancelled: false }
  }

  function resultOf(
    project: Project,
    session: Session,
    input: Input,
    turn: Turn,
  ): { queryResult: Json; webhookStatus?: Json } {
    const { intent, missing, cancelled } = turn
    const { common } = intent
    const isFallback = common.isFallback === true
    const values = parametersOf(intent, turn.captured, session, input)
    const originals = Object.fromEntries(
      [...turn.captured].map(([alias, { original }]) => [`${alias}.original`, original]),
    )
    const isComplete = missing === undefined && !cancelled
    if (isComplete) {
      if (common.resetContexts === true) session.contexts.clear()
      for (const context of (common.outputContexts as Json[] | undefined) ?? []) {
        const id = contextId(String(context.name))
        const lifespan = typeof context.lifespanCount === 'number' ? context.lifespanCount : 0
        const known = session.contexts.get(id)?.parameters
        if (lifespan === 0) session.contexts.delete(id)
        else activate(session, id, lifespan, { ...known, ...values, ...originals })
      }
    }
    const language = languageOf(project.agent, input.languageCode)
    const spoken = intent.spoken.get(language)
    const fill = (text: string) => filled(text, values, originals, session)
    let messages = ((spoken?.messages as Json[] | undefined) ?? []).map((message) =>
      printMessage('Message', mapTexts(message, fill) as Json),
    )
    if (missing !== undefined) messages = [{ text: { text: [promptOf(missing)] } }]
    if (cancelled) messages = [{ text: { text: ['Okay, cancelled.'] } }]
    const webhook =
      isComplete && common.webhookState !== undefined && common.webhookState !== 'WEBHOOK_STATE_UNSPECIFIED'
        ? callWebhook(String(common.action ?? ''))
        : undefined
    if (webhook?.text !== undefined) messages = [{ text: { text: [webhook.text] } }]
    const fulfillmentText = firstText(messages)
    const queryResult = {
      ...queryParts(input),
      ...optional('action', common.action),
      parameters: values,
      ...(isComplete ? { allRequiredParamsPresent: true } : {}),
      ...(cancelled ? { cancelsSlotFilling: true } : {}),
      ...optional('fulfillmentText', fulfillmentText),
      ...(messages.length === 0 ? {} : { fulfillmentMessages: messages }),
      ...(webhook?.payload === undefined
        ? {}
        : { webhookSource: 'sandbox', webhookPayload: webhook.payload }),
      intent: {
        name: intent.name,
        displayName: common.displayName,
        ...(isFallback ? { isFallback: true } : {}),
        ...(common.endInteraction === true ? { endInteraction: true } : {}),
        ...(common.liveAgentHandoff === true ? { liveAgentHandoff: true } : {}),
      },
      intentDetectionConfidence: turn.confidence,
      ...(common.endInteraction === true ? { diagnosticInfo: { end_conversation: true } } : {}),
      languageCode: input.languageCode,
    }
    return webhook === undefined ? { queryResult } : { queryResult, webhookStatus: webhook.status }
  }

  return {
    detect,
    deleteContexts(path: SessionPath): void {
      check(path)
      sessions.delete(nameOf(path))
    },
    reset: () => sessions.clear(),
  }
}

function nothingMatched(input: Input): { queryResult: Json; webhookStatus?: Json } {
  return { queryResult: { ...queryParts(input), languageCode: input.languageCode } }
}

function queryParts({ text, event, heard }: Input): Json {
  return {
    ...optional('queryText', text ?? event?.name),
    ...(heard && text !== undefined ? { speechRecognitionConfidence: 0.95 } : {}),
  }
}

function optional(name: string, value: unknown): Json {
  return value === undefined || value === '' ? {} : { [name]: value }
}

function contextId(name: string): string {
  const lower = lowerContext(name)
  return lower.slice(lower.lastIndexOf('/') + 1)
}

function priorityOf({ common }: StoredIntent): number {
  const priority = typeof common.priority === 'number' ? common.priority : 0
  return priority === 0 ? 500_000 : priority
}

/** Among the intents whose contexts are all active: the most exact, then the most particular, then the first. */
function bestMatch(
  project: Project,
  session: Session,
  input: Input,
  entityTypes: SessionEntityTypes,
  today: Date,
): Match | undefined {
  const language = languageOf(project.agent, input.languageCode)
  const threshold = Number(project.agent.classificationThreshold ?? 0) || 0.3
  const contextsOf = ({ common }: StoredIntent) => (common.inputContextNames as string[] | undefined) ?? []
  const open = [...project.intents.values()].filter(
    (intent) =>
      priorityOf(intent) > 0 && contextsOf(intent).every((name) => session.contexts.has(contextId(name))),
  )
  const byContext = (a: StoredIntent, b: StoredIntent) =>
    contextsOf(b).length - contextsOf(a).length || priorityOf(b) - priorityOf(a) || a.order - b.order
  open.sort(byContext)
  const fallback = open.find(({ common }) => common.isFallback === true)
  const none: Match | undefined =
    fallback === undefined ? undefined : { intent: fallback, captured: new Map(), confidence: 1 }
  const { event } = input
  if (event !== undefined) {
    const found = open.find(({ common }) => (common.events as string[] | undefined)?.includes(event.name))
    return found === undefined ? undefined : { intent: found, captured: new Map(), confidence: 1 }
  }
  const text = plainText(input.text ?? '')
  let best: (Match & { readonly literal: number }) | undefined
  for (const intent of open) {
    if (intent.common.isFallback === true) continue
    for (const phrase of (intent.spoken.get(language)?.trainingPhrases as Json[] | undefined) ?? []) {
      const found = matchPhrase(phrase, text, entityTypes, today)
      if (found === undefined) continue
      const confidence = found.captured.size === 0 ? 1 : 0.9
      if (best !== undefined && (best.confidence > confidence || best.literal >= found.literal)) continue
      best = { intent, captured: found.captured, confidence, literal: found.literal }
    }
  }
  if (best === undefined || best.confidence < threshold) return none
  return { intent: best.intent, captured: best.captured, confidence: best.confidence }
}

function declaredOf({ common }: StoredIntent): Json[] {
  return (common.parameters as Json[] | undefined) ?? []
}

/** The annotation that a parameter takes its value from. */
function aliasOf(parameter: Json): string {
  const reference = /^\$([A-Za-z0-9_-]+)$/.exec(String(parameter.value ?? ''))
  return reference?.[1] ?? String(parameter.displayName)
}

function missingParameter(intent: StoredIntent, captured: ReadonlyMap<string, Captured>): Json | undefined {
  return declaredOf(intent).find(
    (parameter) =>
      parameter.mandatory === true &&
      !captured.has(aliasOf(parameter)) &&
      (parameter.defaultValue ?? '') === '',
  )
}

function promptOf(parameter: Json): string {
  const [prompt] = (parameter.prompts as string[] | undefined) ?? []
  return prompt ?? `What is the ${String(parameter.displayName)}?`
}

function parametersOf(
  intent: StoredIntent,
  captured: ReadonlyMap<string, Captured>,
  session: Session,
  { event }: Input,
): Json {
  const values = declaredOf(intent).map((parameter): [string, unknown] => {
    const written = String(parameter.value ?? '')
    const value =
      referenced(written, captured, session, event) ??
      (parameter.defaultValue === undefined || parameter.defaultValue === ''
        ? undefined
        : parameter.defaultValue)
    if (parameter.isList === true) return [String(parameter.displayName), value === undefined ? [] : [value]]
    return [String(parameter.displayName), value ?? '']
  })
  return Object.fromEntries(values)
}

function referenced(
  written: string,
  captured: ReadonlyMap<string, Captured>,
  session: Session,
  event: Input['event'],
): unknown {
  const own = /^\$([A-Za-z0-9_-]+)(\.original)?$/.exec(written)
  if (own !== null) {
    const found = captured.get(own[1] ?? '')
    return own[2] === undefined ? found?.value : found?.original
  }
  const other = /^#([A-Za-z0-9_%-]+)\.([A-Za-z0-9_.-]+)$/.exec(written)
  if (other === null) return written === '' ? undefined : written
  const [, source = '', field = ''] = other
  if (event?.name.toLowerCase() === source.toLowerCase()) return ownValue(event.parameters, field)
  return ownValue(session.contexts.get(source.toLowerCase())?.parameters ?? {}, field)
}

function ownValue(values: Json, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** `$name`, `$name.original` and `#context.name` in the texts of messages. */
function filled(text: string, values: Json, originals: Json, session: Session): string {
  return text
    .replaceAll(/\$([A-Za-z0-9_-]+)(\.original)?/g, (whole, name: string, original?: string) => {
      const value = original === undefined ? ownValue(values, name) : ownValue(originals, `${name}.original`)
      return value === undefined ? whole : String(value)
    })
    .replaceAll(/#([A-Za-z0-9_%-]+)\.([A-Za-z0-9_-]+)/g, (whole, id: string, name: string) => {
      const value = ownValue(session.contexts.get(id.toLowerCase())?.parameters ?? {}, name)
      return value === undefined ? whole : String(value)
    })
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]))
}

/** The first of the default texts; which of several ways to say it is chosen is always the first here. */
function firstText(messages: readonly Json[]): string | undefined {
  const found = messages.find(({ platform, text }) => platform === undefined && text !== undefined)
  return ((found?.text as Json | undefined)?.text as string[] | undefined)?.[0]
}

/** A failing webhook does not fail the call: the static messages stand, and the status tells. */
function callWebhook(action: string): { status: Json; text?: string; payload?: Json } {
  const answer = sampleWebhook.get(action)
  if (answer === undefined) {
    return { status: statusMessage('UNAVAILABLE', 'Webhook call failed. Error: UNAVAILABLE.') }
  }
  return { status: { message: 'Webhook execution successful' }, ...answer }
}

function printContext({ id, lifespan, parameters }: ActiveContext, session: string): Json {
  return {
    name: `${session}/contexts/${id}`,
    ...(lifespan === 0 ? {} : { lifespanCount: lifespan }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  }
}

const pleasant = new Set('good great nice love lovely thanks thank happy fine excellent'.split(' '))
const unpleasant = new Set('bad terrible awful hate sad wrong angry poor horrible never'.split(' '))

/** Counts words of two short lists: as simple as it is, it follows from the text alone. */
function sentimentOf(text: string): Json {
  const words = plainText(text).toLowerCase().split(' ')
  const good = words.filter((word) => pleasant.has(word)).length
  const bad = words.filter((word) => unpleasant.has(word)).length
  const magnitude = good + bad
  const score = magnitude === 0 ? 0 : (good - bad) / magnitude
  const sentiment = { ...(score === 0 ? {} : { score }), ...(magnitude === 0 ? {} : { magnitude }) }
  return { queryTextSentiment: sentiment }
}
