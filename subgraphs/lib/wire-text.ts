/**
 * UTF-8 in a string, one character for each byte. A long text with a single letter beyond Latin-1 takes two bytes
 * for each of its letters, is copied whenever something is added to it, and is encoded one letter after the other
 * when it leaves. Of these bytes the length is known, and the socket takes them as they are: an answer of 70 kB
 * costs a fifth.
 *
 * ASCII is the same in both, so for most texts there is nothing to do.
 */

declare const wire: unique symbol

/** Written with the encoding 'latin1'; its length is that of the bytes. */
export type WireText = string & { readonly [wire]: true }

/** Enough for three bytes of each letter of a text of 85,000. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)

/** Lone surrogates, which UTF-8 does not have, become U+FFFD. */
export function wireText(text: string): WireText {
  const fits = text.length * 3 <= scratch.length
  const bytes = fits ? scratch : Buffer.from(text)
  const length = fits ? scratch.write(text) : bytes.length
  return (length === text.length ? text : bytes.toString('latin1', 0, length)) as WireText
}

/** What is known to be such: ASCII, and whatever is put together of it and of others. */
export function asWireText(text: string): WireText {
  return text as WireText
}

/** `JSON.stringify`. */
export function jsonText(value: unknown): WireText {
  return wireText(JSON.stringify(value))
}
