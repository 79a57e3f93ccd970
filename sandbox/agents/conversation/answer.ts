/** The `queryResult` of a turn: its messages with the values of parameters, and the response of the webhook. */
import { statusMessage } from '../errors.ts'
import { languageOf, type Project } from '../project.ts'
import { type Json, printMessage } from '../proto.ts'
import { sampleWebhook } from '../samples.ts'
import type { Match } from './match.ts'
import type { Input } from './request.ts'
import { activate, contextId, type Session } from './session.ts'
import { filled, parametersOf, promptOf } from './slot-filling.ts'

export interface Turn extends Match {
  readonly missing: Json | undefined
  readonly cancelled: boolean
}

/** Completes the turn: sets contexts, calls the webhook, and returns the `queryResult`. */
export function resultOf(
  project: Project,
  session: Session,
  input: Input,
  turn: Turn,
  now: number,
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
      else activate(session, now, id, lifespan, { ...known, ...values, ...originals })
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
    ...(webhook?.payload === undefined ? {} : { webhookSource: 'sandbox', webhookPayload: webhook.payload }),
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

export function nothingMatched(input: Input): { queryResult: Json; webhookStatus?: Json } {
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

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]))
}

/** The first text for all platforms. If there are several variants, it is always the first. */
function firstText(messages: readonly Json[]): string | undefined {
  const found = messages.find(({ platform, text }) => platform === undefined && text !== undefined)
  return ((found?.text as Json | undefined)?.text as string[] | undefined)?.[0]
}

/**
 * A failing webhook does not fail the call. The configured messages are used, and the response has the webhook's
 * status.
 */
function callWebhook(action: string): { status: Json; text?: string; payload?: Json } {
  const answer = sampleWebhook.get(action)
  if (answer === undefined) {
    return { status: statusMessage('UNAVAILABLE', 'Webhook call failed. Error: UNAVAILABLE.') }
  }
  return { status: { message: 'Webhook execution successful' }, ...answer }
}
