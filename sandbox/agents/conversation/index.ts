/**
 * Conversations with an agent: matching an input to an intent by phrases, events and contexts, collecting its
 * parameters with prompts, and the contexts of each session with their lifespans.
 */
import { randomUUID } from 'node:crypto'
import { check, notFound } from '../errors.ts'
import type { Project } from '../project.ts'
import { type Json, printMessage, readMessage } from '../proto.ts'
import { sampleAgents } from '../sample-names.ts'
import { synthesizeSpeech } from '../speech.ts'
import { queryParts, resultOf } from './answer.ts'
import { matchIntent } from './match-intent.ts'
import { plainText } from './phrases.ts'
import { contextsFrom, entityTypesFrom, inputFrom, speechFrom } from './request.ts'
import { activate, printContext, type Session } from './session.ts'

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
