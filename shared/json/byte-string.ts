/**
 * UTF-8 as a string with one character for each byte (WebIDL calls it a ByteString). A string with a single character
 * beyond Latin-1 takes two bytes for each of its characters, is copied whenever something is appended, and is encoded
 * character by character when it is sent. The length of a ByteString is its length in bytes, and a socket takes it as
 * it is with the encoding 'latin1'.
 *
 * V8 encodes a text that it holds in two bytes a character one by one. As UTF-16 in a buffer, `transcode` encodes many at
 * once: 29,000 characters with a dash in each sentence take 6 us so, and 24 by `write`.
 */
import { transcode } from 'node:buffer'

declare const byteStringMark: unique symbol

/** Written with the encoding 'latin1'; its length is that of the bytes. */
export type ByteString = string & { readonly [byteStringMark]: true }

/** Enough for a text of 85,000 characters of three bytes each. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)

/** Such characters V8 holds in two bytes. A text that it holds in one is not looked through for them. */
const wide = /[\u0100-\uffff]/
/** If none is among so many characters, looking for one would cost more than it gains. */
const lookedThrough = 2048
/** Shorter ones are encoded sooner one by one. */
const leastTranscoded = 1000

/** Lone surrogates, which UTF-8 does not have, become U+FFFD. */
export function byteString(text: string): ByteString {
  if (text.length >= leastTranscoded && wide.test(text.slice(0, lookedThrough))) {
    const bytes = transcoded(text)
    if (bytes !== undefined) return bytes.toString('latin1') as ByteString
  }
  const fits = text.length * 3 <= scratch.length
  const bytes = fits ? scratch : Buffer.from(text)
  const length = fits ? scratch.write(text) : bytes.length
  return (length === text.length ? text : bytes.toString('latin1', 0, length)) as ByteString
}

/** Undefined if it is too long for the buffer, holds lone surrogates, or Node was built without ICU. */
function transcoded(text: string): Buffer | undefined {
  if (text.length * 2 > scratch.length || transcode === undefined) return undefined
  try {
    return transcode(scratch.subarray(0, scratch.write(text, 'utf16le')), 'utf16le', 'utf8')
  } catch {
    return undefined
  }
}

/** Marks text that is known to be one: ASCII, and any concatenation of ByteStrings. */
export function asByteString(text: string): ByteString {
  return text as ByteString
}

/** `JSON.stringify`. */
export function jsonText(value: unknown): ByteString {
  return byteString(JSON.stringify(value))
}
