/** Matches the input of a turn with an intent, and finds the parameter that is still missing. */
import { languageOf, type Project, priorityOf, type StoredIntent } from '../project.ts'
import { type Json, messagesIn, stringsIn } from '../proto.ts'
import { type Captured, entityValue, matchPhrase, plainText, type SessionEntityTypes } from './phrases.ts'
import type { Input } from './request.ts'
import { aliasOf, contextId, missingParameter, type Session } from './session.ts'

export interface TurnInput {
  readonly project: Project
  readonly session: Session
  readonly input: Input
  readonly entityTypes: SessionEntityTypes
  readonly now: number
}

interface Match {
  readonly intent: StoredIntent
  readonly captured: ReadonlyMap<string, Captured>
  readonly confidence: number
}

export interface Turn extends Match {
  readonly missing: Json | undefined
  readonly cancelled: boolean
}

/**
 * Finds the intent of an input among those whose input contexts are all active. Prefers exact phrases, then more
 * input contexts, then priority, then order. Uses a fallback intent if nothing matches.
 */
function bestMatch({ project, session, input, entityTypes, now }: TurnInput): Match | undefined {
  const language = languageOf(project.agent, input.languageCode)
  const threshold = Number(project.agent.classificationThreshold ?? 0) || 0.3
  const contextsOf = ({ common }: StoredIntent) => stringsIn(common.inputContextNames)
  const open = [...project.intents.values()].filter(
    (intent) =>
      priorityOf(intent) > 0 && contextsOf(intent).every((name) => session.contexts.has(contextId(name))),
  )
  open.sort(
    (a, b) =>
      contextsOf(b).length - contextsOf(a).length || priorityOf(b) - priorityOf(a) || a.order - b.order,
  )
  const fallback = open.find(({ common }) => common.isFallback === true)
  const certain = (intent: StoredIntent | undefined): Match | undefined =>
    intent === undefined ? undefined : { intent, captured: new Map(), confidence: 1 }
  const { event } = input
  if (event !== undefined) {
    return certain(open.find(({ common }) => stringsIn(common.events).includes(event.name)))
  }
  const text = plainText(input.text ?? '')
  let best: (Match & { readonly literal: number }) | undefined
  for (const intent of open) {
    if (intent.common.isFallback === true) continue
    for (const phrase of messagesIn(intent.localized.get(language)?.trainingPhrases)) {
      const found = matchPhrase(phrase, text, entityTypes, new Date(now))
      if (found === undefined) continue
      const confidence = found.captured.size === 0 ? 1 : 0.9
      if (best !== undefined && (best.confidence > confidence || best.literal >= found.literal)) continue
      best = { intent, captured: found.captured, confidence, literal: found.literal }
    }
  }
  return best === undefined || best.confidence < threshold ? certain(fallback) : best
}

const cancelWords = new Set(['cancel', 'stop', 'never mind', 'forget it'])

/** Finds the intent, or fills a parameter of the pending one; undefined if nothing matches. */
export function matchIntent(turn: TurnInput): Turn | undefined {
  const { project, session, input, entityTypes, now } = turn
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
      const value = entityValue(String(parameter.entityTypeDisplayName), text, entityTypes, new Date(now))
      if (value !== undefined) {
        const alias = aliasOf(parameter)
        match = { ...match, captured: new Map(asked.captured).set(alias, { value, original: text }) }
      }
    }
  } else match = bestMatch(turn)
  if (match === undefined) return undefined
  const missing = missingParameter(match.intent, match.captured)
  if (missing !== undefined)
    session.pending = { intent: match.intent.name, captured: new Map(match.captured) }
  return { ...match, missing, cancelled: false }
}
