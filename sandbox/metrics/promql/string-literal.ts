/** String literals of expressions: Go's escapes in single and double quotes, none in backquotes. */
import { parseError } from './parse-error.ts'

const simpleEscapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

/** The content of the literal that starts at a quote, and its length including both quotes. */
export function readString(input: string, start: number): { content: string; length: number } {
  const quote = input[start] ?? ''
  let content = ''
  for (let at = start + 1; at < input.length; ) {
    const char = input[at] ?? ''
    if (char === quote) return { content, length: at + 1 - start }
    if (quote === '`') {
      content += char
      at++
      continue
    }
    if (char === '\n') break
    if (char !== '\\') {
      content += char
      at++
      continue
    }
    const next = input[at + 1] ?? ''
    const simple = simpleEscapes[next]
    if (simple !== undefined || next === quote) {
      content += simple ?? next
      at += 2
      continue
    }
    const coded = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/.exec(
      input.slice(at + 1, at + 10),
    )
    const code =
      coded === null
        ? Number.NaN
        : coded[4] === undefined
          ? Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '', 16)
          : Number.parseInt(coded[4], 8)
    if (coded === null || !(code <= 0x10ffff)) throw parseError(input, at, 'unknown escape sequence')
    content += String.fromCodePoint(code)
    at += 1 + coded[0].length
  }
  throw parseError(input, start, quote === '`' ? 'unterminated raw string' : 'unterminated quoted string')
}
