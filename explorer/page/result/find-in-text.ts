/** The places of a text in another one, ignoring case, up to a bound. Pure. */
import type { Span } from '../stream/places.ts'

const mostFound = 1000

export function findInText(text: string, wanted: string): readonly Span[] {
  const needle = wanted.toLowerCase()
  const found: Span[] = []
  if (needle.trim() === '') return found
  const haystack = text.toLowerCase()
  // A few letters become longer in lower case, which would shift the places.
  if (haystack.length !== text.length) return caseful(text, wanted)
  for (let at = haystack.indexOf(needle); at >= 0 && found.length < mostFound; ) {
    found.push({ from: at, to: at + needle.length })
    at = haystack.indexOf(needle, at + needle.length)
  }
  return found
}

function caseful(text: string, wanted: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf(wanted); at >= 0 && found.length < mostFound; ) {
    found.push({ from: at, to: at + wanted.length })
    at = text.indexOf(wanted, at + wanted.length)
  }
  return found
}
