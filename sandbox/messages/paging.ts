/** The page tokens of liking users, and the order of looked-up messages. */
import type { Message } from './model.ts'

export interface PagePosition {
  readonly offset: number
  readonly backward: boolean
  readonly page?: number
}

/** An opaque token that is valid only for its own list. */
export function tokenFor(list: string, { offset, backward, page = 0 }: PagePosition): string {
  return Buffer.from(`${backward ? 'b' : 'f'}.${offset}.${page}.${list}`).toString('base64url')
}

/** The position of a token; undefined if it belongs to another list. */
export function positionFrom(token: string, list: string): PagePosition | undefined {
  const [, way, offset, , of] =
    /^([bf])\.([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (way === undefined || of !== list) return undefined
  return { offset: Number(offset), backward: way === 'b' }
}

/** Sorts by the last digits of the ids, or in reverse: the result never has the order of the request. */
export function inOwnOrder(messages: readonly Message[]): Message[] {
  const key = ({ id }: Message) => [...id].reverse().join('')
  const sorted = [...messages].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const isAsRequested = sorted.every((message, index) => message === messages[index])
  return isAsRequested ? sorted.reverse() : sorted
}
