/**
 * Splits an expression into tokens: names, numbers, durations, strings and operators. Positions are UTF-16 offsets.
 * Every pattern takes linear time.
 */
import { parseError } from './parse-error.ts'
import { readString } from './string-literal.ts'

export type TokenKind = 'identifier' | 'number' | 'duration' | 'string' | 'operator' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** The text as written, or the content of a string. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const space = /[ \t\r\n]*(?:#[^\n]*[ \t\r\n]*)*/y
const identifier = /[A-Za-z_:][A-Za-z0-9_:]*/y
const duration = /(?:[0-9]+(?:ms|[smhdwy]))+(?![A-Za-z0-9_.])/y
const number = /(?:0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![A-Za-z0-9_.])/y
const wordLike = /[A-Za-z0-9_.]+/y
const operator = /==|!=|<=|>=|=~|!~|[-+*/%^<>=(){}[\],@]/y

export function tokenize(input: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let brackets = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(input)?.[0]
  }
  const push = (kind: TokenKind, length: number, text = input.slice(at, at + length)): void => {
    tokens.push({ kind, text, start: at, end: at + length })
    at += length
  }

  for (;;) {
    at += match(space)?.length ?? 0
    const char = input[at]
    if (char === undefined) {
      push('end', 0)
      return tokens
    }
    if (char === '"' || char === "'" || char === '`') {
      const { content, length } = readString(input, at)
      push('string', length, content)
      continue
    }
    // In brackets, a colon separates the range of a subquery from its step. Elsewhere it may begin a metric's name.
    if (char === ':' && brackets > 0) {
      push('operator', 1)
      continue
    }
    const word = match(identifier)
    if (word !== undefined) {
      push('identifier', word.length)
      continue
    }
    if (/[0-9]/.test(char) || (char === '.' && /[0-9]/.test(input[at + 1] ?? ''))) {
      const text = match(number)
      if (text !== undefined) {
        push('number', text.length)
        continue
      }
      const period = match(duration)
      if (period === undefined) {
        throw parseError(
          input,
          at,
          `bad number or duration syntax: ${JSON.stringify(match(wordLike) ?? char)}`,
        )
      }
      push('duration', period.length)
      continue
    }
    const symbol = match(operator)
    if (symbol === undefined) {
      const whole = String.fromCodePoint(input.codePointAt(at) ?? 0)
      throw parseError(input, at, `unexpected character: ${JSON.stringify(whole)}`)
    }
    if (symbol === '[') brackets++
    else if (symbol === ']') brackets--
    push('operator', symbol.length)
  }
}
