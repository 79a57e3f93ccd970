/** One turn of a conversation: its intent, and the parameter that is still missing. */
import type { Project } from '../project.ts'
import type { Turn } from './answer.ts'
import { bestMatch, type Match } from './match.ts'
import { entityValue, plainText, type SessionEntityTypes } from './phrases.ts'
import type { Input } from './request.ts'
import type { Session } from './session.ts'
import { aliasOf, missingParameter } from './slot-filling.ts'

const cancelWords = new Set(['cancel', 'stop', 'never mind', 'forget it'])

/** Finds the intent, or fills a parameter of the pending one; undefined if nothing matches. */
export function takeTurn(
  project: Project,
  session: Session,
  input: Input,
  entityTypes: SessionEntityTypes,
  now: number,
): Turn | undefined {
  const today = new Date(now)
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
