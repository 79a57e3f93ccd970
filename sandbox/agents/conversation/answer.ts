/** The `queryResult` of a turn: its messages with the values of parameters, and the response of the webhook. */
import { statusMessage } from '../errors.ts'
import { languageOf } from '../project.ts'
import { type Json, messagesIn, printMessage, stringsIn } from '../proto.ts'
import { sampleWebhook } from '../samples.ts'
import type { Turn, TurnInput } from './match-intent.ts'
import type { Input } from './request.ts'
import { activate, contextId, filled, parametersOf, promptOf } from './session.ts'

const noWebhook = 'WEBHOOK_STATE_UNSPECIFIED'

/** Completes the turn: sets contexts, calls the webhook, and returns the `queryResult`. */
export function resultOf(
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

/** The members of every `queryResult`. */
export function queryParts({ text, event, heard, languageCode }: Input): Json {
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
