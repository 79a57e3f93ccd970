/**
 * UTF-8 as a string with one character for each byte (a WebIDL ByteString). A string with one character beyond
 * Latin-1 takes two bytes for each character, is copied whenever something is appended, and is encoded character by
 * character when it is sent. The length of a ByteString is its length in bytes, and sockets accept it with the
 * encoding 'latin1'.
 *
 * V8 encodes strings of two bytes a character one by one. `transcode` encodes them from UTF-16 in a buffer several
 * times faster.
 */
import { transcode } from 'node:buffer'

declare const byteStringMark: unique symbol

/** Written with the encoding 'latin1'. Its length is that of the bytes. */
export type ByteString = string & { readonly [byteStringMark]: true }

/** Enough for 85,000 characters of three bytes each. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)

/** Characters for which V8 uses two bytes. V8 does not search strings of one byte a character for them. */
const wide = /[\u0100-\uffff]/
/** The search ends after this many characters: a longer one would cost more than it gains. */
const searchedCharacters = 2048
/** Shorter strings are encoded faster one by one. */
const leastTranscoded = 1000

/** Lone surrogates, which UTF-8 does not have, become U+FFFD. */
export function byteString(text: string): ByteString {
  if (text.length >= leastTranscoded && wide.test(text.slice(0, searchedCharacters))) {
    const bytes = transcoded(text)
    if (bytes !== undefined) return bytes.toString('latin1') as ByteString
  }
  const fits = text.length * 3 <= scratch.length
  const bytes = fits ? scratch : Buffer.from(text)
  const length = fits ? scratch.write(text) : bytes.length
  return (length === text.length ? text : bytes.toString('latin1', 0, length)) as ByteString
}

/** Undefined if it is too long for the buffer, has lone surrogates, or Node was built without ICU. */
function transcoded(text: string): Buffer | undefined {
  if (text.length * 2 > scratch.length || transcode === undefined) return undefined
  try {
    return transcode(scratch.subarray(0, scratch.write(text, 'utf16le')), 'utf16le', 'utf8')
  } catch {
    return undefined
  }
}

/** Marks text that is known to be a ByteString: ASCII, and concatenations of ByteStrings. */
export function asByteString(text: string): ByteString {
  return text as ByteString
}

export function jsonText(value: unknown): ByteString {
  return byteString(JSON.stringify(value))
}
