/**
 * Cursors. A cursor is the position of its edge: the token and the size of the upstream page, and the index within
 * it. If the edge is the last or the first of its page, the cursor also has the token of the adjacent page. A
 * digest over position and list makes sure that a cursor of another list, or a damaged one, fails before any call.
 */
import { hash } from 'node:crypto'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { wrongArgument } from '../wrong-argument.ts'
import { isVisitedPages } from './visited-pages.ts'

/** A position in a list: right after item `index` of the page or, when reading backward, right before it. */
export interface PagePosition {
  readonly token: string | undefined
  readonly size: number
  /** -1 on a page without items. */
  readonly index: number
  readonly next: string | undefined
  readonly previous: string | undefined
  /** The pages that were read up to here (visited-pages.ts). */
  readonly visited?: string | undefined
}

const digestLength = 12

function digestOf(list: string, position: string): string {
  return hash('sha256', `${list}\n${position}`, 'base64url').slice(0, digestLength)
}

export function writeCursor(list: string, position: PagePosition): string {
  const { token, size, index, next, previous, visited } = position
  const parts = [token ?? 0, size, index, next ?? 0, previous ?? 0]
  const text = JSON.stringify(visited === undefined ? parts : [...parts, visited])
  return Buffer.from(digestOf(list, text) + text, 'utf8').toString('base64url')
}

interface Decoded {
  readonly position: PagePosition
  readonly digest: string
  readonly text: string
}

function decode(cursor: string): Decoded | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  const decoded = Buffer.from(cursor, 'base64url').toString('utf8')
  const text = decoded.slice(digestLength)
  const parts = parsedJson(text)
  if (!Array.isArray(parts) || parts.length < 5 || parts.length > 6) return undefined
  const [token, size, index, next, previous, visited] = parts as unknown[]
  if (parts.length === 6 && (typeof visited !== 'string' || !isVisitedPages(visited))) return undefined
  const tokenOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  if (typeof size !== 'number' || typeof index !== 'number') return undefined
  return {
    position: {
      token: tokenOf(token),
      size,
      index,
      next: tokenOf(next),
      previous: tokenOf(previous),
      ...(visited === undefined ? {} : { visited: tokenOf(visited) }),
    },
    digest: decoded.slice(0, digestLength),
    text,
  }
}

/** The position of a cursor when the list is not known. Estimates use it, because they read nothing. */
export function positionOf(cursor: string): PagePosition | undefined {
  return decode(cursor)?.position
}

export function readCursor(list: string, cursor: string, argument: 'after' | 'before'): PagePosition {
  const decoded = decode(cursor)
  if (decoded === undefined || digestOf(list, decoded.text) !== decoded.digest) {
    throw wrongArgument(
      argument,
      `is not a cursor of this list. Take one from \`edges.cursor\` or \`pageInfo\` of the same field with the same filters.`,
    )
  }
  return decoded.position
}
