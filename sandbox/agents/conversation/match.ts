/** Finds the intent of an input among those whose input contexts are all active. */
import { languageOf, type Project, type StoredIntent } from '../project.ts'
import type { Json } from '../proto.ts'
import { type Captured, matchPhrase, plainText, type SessionEntityTypes } from './phrases.ts'
import type { Input } from './request.ts'
import { contextId, type Session } from './session.ts'

export interface Match {
  readonly intent: StoredIntent
  readonly captured: ReadonlyMap<string, Captured>
  readonly confidence: number
}

function priorityOf({ common }: StoredIntent): number {
  const priority = typeof common.priority === 'number' ? common.priority : 0
  return priority === 0 ? 500_000 : priority
}

/**
 * Prefers exact phrases, then more input contexts, then priority, then order. Uses a fallback intent if nothing
 * matches.
 */
export function bestMatch(
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
