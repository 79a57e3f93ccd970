/**
 * Marks around text of strangers: `<<123456:` before and `:123456>>` after it. The number is made for one answer and is
 * in none of its texts, so no text can contain its own end mark. Marks tell a model what others have written. They are
 * no defence by themselves. Invisible characters, and those that change the direction of text, are escaped.
 */
import { randomInt } from 'node:crypto'

const digits = 6

/** A number that stands in none of the texts. */
export function markNumber(texts: readonly string[]): string {
  for (let tries = 0; ; tries += 1) {
    // A long text can have every number of so many digits in it.
    const length = digits + Math.floor(tries / 20)
    const number = String(randomInt(10 ** (length - 1), 10 ** length))
    if (!texts.some((text) => text.includes(number))) return number
  }
}

/** Stands for a number if only the length of what is marked counts. */
export const anyNumber = '0'.repeat(digits)

export const marked = (text: string, number: string): string => `<<${number}:${text}:${number}>>`

/** Control and format characters, separators of lines, and whatever else is not drawn: tags, variation selectors. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const escaped = (found: string): string =>
  found.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** JSON of a text, whose unseen characters are escaped. */
export const quotedJson = (text: string): string => JSON.stringify(text).replace(unseen, escaped)

/** The same of any JSON. */
export const withInvisibleEscaped = (json: string): string => json.replace(unseen, escaped)
