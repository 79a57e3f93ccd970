/** Names and values of headers, as they stand in the text of a head. */
import { ownText } from '../own-bytes.ts'

const space = 0x20
const tab = 0x09

const mostNames = 256
const longestKept = 64

/**
 * Makes a function for names in lower case; undefined for those that `isTaken` does not take. Names that came before are
 * remembered as they were written: nearly all are the same each time.
 */
export function createHeaderNames(
  isTaken: (lowerCase: string) => boolean,
): (written: string) => string | undefined {
  const known = new Map<string, string>()
  return (written) => {
    const before = known.get(written)
    if (before !== undefined) return before
    const name = written.toLowerCase()
    if (!isTaken(name)) return undefined
    if (known.size < mostNames && written.length <= longestKept) known.set(ownText(written), ownText(name))
    return name
  }
}

/** Where a value begins, behind spaces and tabs: other white space is part of it. */
export function valueStart(head: string, start: number, end: number): number {
  let from = start
  while (from < end && isBlank(head.charCodeAt(from))) from += 1
  return from
}

/** Where a value that begins at `start` ends, before spaces and tabs. */
export function valueEnd(head: string, start: number, end: number): number {
  let to = end
  while (to > start && isBlank(head.charCodeAt(to - 1))) to -= 1
  return to
}

const isBlank = (code: number): boolean => code === space || code === tab
