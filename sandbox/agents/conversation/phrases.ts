/**
 * Matches a text with training phrases. Nothing is learned: the words must be those of the phrase, ignoring case,
 * punctuation and spaces, and an annotated part matches a value of its entity type. Takes linear time.
 */
import { type Json, messagesIn } from '../proto.ts'

export interface SessionEntityType {
  /** Whether these entities replace those of the type, or add to them. */
  readonly override: boolean
  readonly entities: readonly { readonly value: string; readonly synonyms: readonly string[] }[]
}
/** By display name, with `@`. */
export type SessionEntityTypes = ReadonlyMap<string, SessionEntityType>

export interface Captured {
  readonly value: unknown
  readonly original: string
}

/** The words of a text with single spaces between them, without punctuation. */
export function plainText(text: string): string {
  return withoutPunctuation(text).trim()
}

/** The same with a space at each end that has one. */
function withoutPunctuation(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[!?¿¡,;"'“”‘’()]|\.(?=\s|$)/g, '')
    .replaceAll(/\s+/g, ' ')
}

type Piece = { readonly literal: string } | { readonly type: string; readonly alias: string }

function piecesOf(phrase: Json): Piece[] {
  const pieces: Piece[] = []
  for (const { text = '', entityType, alias } of messagesIn(phrase.parts)) {
    if (typeof entityType === 'string' && entityType !== '' && typeof alias === 'string') {
      pieces.push({ type: entityType, alias })
      continue
    }
    const literal = withoutPunctuation(String(text)).toLowerCase()
    const last = pieces.at(-1)
    if (last !== undefined && 'literal' in last)
      pieces[pieces.length - 1] = { literal: last.literal + literal }
    else pieces.push({ literal })
  }
  const trimmed = pieces.map((piece, index): Piece => {
    if (!('literal' in piece)) return piece
    const start = index === 0 ? piece.literal.trimStart() : piece.literal
    return { literal: index === pieces.length - 1 ? start.trimEnd() : start }
  })
  return trimmed.filter((piece) => !('literal' in piece) || piece.literal !== '')
}

/** What is captured, and the number of literal characters. The phrase with the most of them is preferred. */
export function matchPhrase(phrase: Json, text: string, entityTypes: SessionEntityTypes, today: Date) {
  const lower = text.toLowerCase()
  const pieces = piecesOf(phrase)
  const captured = new Map<string, Captured>()
  let literal = 0
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    if ('literal' in piece) {
      if (!lower.startsWith(piece.literal, at)) return undefined
      at += piece.literal.length
      literal += piece.literal.length
      continue
    }
    const following = pieces[index + 1]
    // A value ends at the next literal of the phrase, or at the next space if another value follows directly.
    const end =
      following === undefined
        ? text.length
        : lower.indexOf('literal' in following ? following.literal : ' ', at + 1)
    if (end <= at) return undefined
    const original = text.slice(at, end).trim()
    const value = entityValue(piece.type, original, entityTypes, today)
    if (value === undefined) return undefined
    captured.set(piece.alias, { value, original })
    at = end
    if (following !== undefined && !('literal' in following)) at++
  }
  return at === text.length && pieces.length > 0 ? { captured, literal } : undefined
}

const day = 86_400_000
const namedDays = new Map(Object.entries({ today: 0, tomorrow: 1, yesterday: -1 }))

/** The value of the entity type, if the whole text is one; otherwise undefined. */
export function entityValue(
  type: string,
  text: string,
  entityTypes: SessionEntityTypes,
  today: Date,
): unknown {
  if (text === '') return undefined
  const session = entityTypes.get(type)
  if (session !== undefined) {
    const wanted = plainText(text).toLowerCase()
    const found = session.entities.find(({ value, synonyms }) =>
      [value, ...synonyms].some((one) => plainText(one).toLowerCase() === wanted),
    )
    if (found !== undefined) return found.value
    if (session.override) return undefined
  }
  switch (type) {
    case '@sys.number':
      return /^[+-]?[0-9]+([.,][0-9]+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined
    case '@sys.number-integer':
      return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined
    case '@sys.email':
      return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) ? text : undefined
    case '@sys.date': {
      const days = namedDays.get(text.toLowerCase())
      const date =
        days !== undefined
          ? new Date(today.getTime() + days * day)
          : new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T12:00:00Z` : Number.NaN)
      return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 10)}T12:00:00Z`
    }
    case '@sys.time':
      return /^([01]?[0-9]|2[0-3]):[0-5][0-9]$/.test(text) ? text : undefined
    default:
      return text
  }
}
