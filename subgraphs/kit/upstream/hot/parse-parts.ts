/**
 * Parses a long body in parts of its list. V8 makes a string of more than 128 kB (half as many characters where one of
 * them is beyond Latin-1) in memory that the system gives it for this string alone and takes back afterwards, page by
 * page.
 *
 * The plain way is `JSON.parse` of the whole text. 71 kB of 50 videos took 239 us of CPU so, and take 183 in parts; Q2
 * took 10 to 14 % less (November 2026). `npm run bench -- --hot --only parse-parts`.
 *
 * Services answer with an object whose list of objects is long, with nothing long before it. The list is cut where
 * its objects seem to end. JSON can be read in one way only: where each part is a list of whole values, and what is left
 * of the body is JSON with a mark in their place, the parts together are that list. Where anything else is found,
 * the plain way decides.
 */
import { randomBytes } from 'node:crypto'
import { stringEnd } from '../../../../contract/json/bytes.ts'
import {
  closeList,
  closeObject,
  colon,
  openList,
  openObject,
  quote,
} from '../../../../contract/json/characters.ts'

/** Shorter bodies cost no less in parts. */
export const worthParts = 64 * 1024

const usualPartBytes = 24 * 1024
/** The list begins within so many bytes, in the body or in an object of it. */
const mostBefore = 4096
const deepest = 2
/** What an object begins with is looked at up to this length. */
const longestBeginning = 200

/** In the place of the list's items. No service can know it. */
const mark = randomBytes(16).toString('hex')

const triedAgainAfter = 100
const mostUntried = 100

/**
 * Undefined where the plain way has to decide. `isSpecial` says of a text that `JSON.parse` must not have it.
 */
export type ParseParts = (body: Buffer, isSpecial: (text: string) => boolean) => unknown

export function createPartsParser(partBytes = usualPartBytes): ParseParts {
  /**
   * Separators at which a list could not be cut, with how many bodies are parsed whole before one is tried again: lists
   * within the items may begin like the items, and one body may have been no JSON.
   */
  const untried = new Map<string, number>()

  function isUntried(separator: string): boolean {
    const left = untried.get(separator)
    if (left === undefined) return false
    if (left > 1) untried.set(separator, left - 1)
    else untried.delete(separator)
    return true
  }

  return (body, isSpecial) => {
    const start = listStart(body)
    const end = body.lastIndexOf(closeList)
    const separator = start === -1 || end <= start ? undefined : separatorIn(body, start)
    if (separator === undefined || isUntried(separator)) return undefined
    const parse = (text: string): unknown => {
      if (isSpecial(text)) throw new Error('not for JSON.parse')
      return JSON.parse(text)
    }
    try {
      const before = body.toString('utf8', 0, start + 1)
      const rest = parse(`${before}"${mark}"${body.toString('utf8', end)}`)
      const items: unknown[] = []
      for (let at = start + 1; at < end; ) {
        const found = body.indexOf(separator, at + partBytes, 'latin1')
        const to = found === -1 || found >= end ? end : found + 1
        for (const item of parse(listText(body, at, to)) as unknown[]) items.push(item)
        // Behind the comma.
        at = to + 1
      }
      return putInPlace(items, rest, deepest) ? rest : undefined
    } catch {
      if (untried.size >= mostUntried) untried.clear()
      untried.set(separator, triedAgainAfter)
      return undefined
    }
  }
}

/**
 * The text of a list of what stands from `start` to `end`. While it is read, the byte before it and the byte after it are
 * brackets: if they were put around the text, V8 would copy all of it once more.
 */
function listText(body: Buffer, start: number, end: number): string {
  const before = body[start - 1] as number
  const after = body[end] as number
  body[start - 1] = openList
  body[end] = closeList
  const text = body.toString('utf8', start - 1, end + 1)
  body[start - 1] = before
  body[end] = after
  return text
}

/** Where the first list begins; -1 where it does not begin soon, or stands deeper. */
function listStart(body: Buffer): number {
  let depth = 0
  for (let at = 0; at < mostBefore; at++) {
    const byte = body[at]
    if (byte === openList) return depth > 0 ? at : -1
    if (byte === openObject) depth += 1
    else if (byte === closeObject) depth -= 1
    else if (byte === quote) {
      const end = stringEnd(body, at)
      if (end === -1) return -1
      at = end - 1
    }
    if (depth > deepest) return -1
  }
  return -1
}

/**
 * What stands between two items: the end of one, and how the first one begins. With the value of its first member where
 * others have the same, as lists within an item often begin with the same key.
 */
function separatorIn(body: Buffer, start: number): string | undefined {
  const first = start + 1
  const keyEnd = body[first] === openObject ? stringEnd(body, first + 1) : -1
  if (keyEnd === -1 || body[keyEnd] !== colon || keyEnd - first > longestBeginning) return undefined
  const valueEnd = stringEnd(body, keyEnd + 1)
  if (valueEnd !== -1 && valueEnd - first <= longestBeginning) {
    const withValue = `},${body.toString('latin1', first, valueEnd)}`
    if (body.indexOf(withValue, valueEnd, 'latin1') !== -1) return withValue
  }
  return `},${body.toString('latin1', first, keyEnd + 1)}`
}

/** Puts the items where the mark is; whether it is where a list may stand. */
function putInPlace(items: readonly unknown[], value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false
  const object = value as Record<string, unknown>
  for (const key of Object.keys(object)) {
    const member = object[key]
    if (Array.isArray(member) && member.length === 1 && member[0] === mark) {
      object[key] = items
      return true
    }
    if (putInPlace(items, member, depth - 1)) return true
  }
  return false
}
