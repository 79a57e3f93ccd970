/**
 * Splits an expression into tokens: names, numbers, durations, strings and operators. Positions are UTF-16 offsets.
 * Every pattern takes linear time.
 */
import { BadData } from '../errors.ts'

type TokenKind = 'identifier' | 'number' | 'duration' | 'string' | 'operator' | 'end'

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

/**
 * The content of the literal that starts at a quote, and its length including both quotes. Go's escapes count in
 * single and double quotes, none in backquotes.
 */
function readString(input: string, start: number): { content: string; length: number } {
  const quote = input[start] ?? ''
  let content = ''
  let bytes: number[] = []
  const add = (text: string): void => {
    content += bytes.length === 0 ? text : Buffer.from(bytes).toString('utf8') + text
    bytes = []
  }
  for (let at = start + 1; at < input.length; ) {
    const char = input[at] ?? ''
    if (char === quote) {
      add('')
      return { content, length: at + 1 - start }
    }
    if (char === '\n' && quote !== '`') break
    if (char !== '\\' || quote === '`') {
      add(char)
      at++
      continue
    }
    const { code, isByte, length } = readEscape(input, start, at)
    if (isByte) bytes.push(code)
    else add(String.fromCodePoint(code))
    at += length
  }
  throw parseError(input, start, quote === '`' ? 'unterminated raw string' : 'unterminated quoted string')
}

/** The escape of a literal. Those of two hexadecimal and of three octal digits are bytes, which may form a character. */
function readEscape(
  input: string,
  start: number,
  at: number,
): { readonly code: number; readonly isByte: boolean; readonly length: number } {
  const next = input[at + 1] ?? ''
  const simple = next === input[start] ? next : simpleEscapes[next]
  if (simple !== undefined) return { code: simple.charCodeAt(0), isByte: false, length: 2 }
  const coded = /^(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(
    input.slice(at + 1, at + 10),
  )
  if (coded === null) throw parseError(input, at, 'unknown escape sequence')
  const [all, two, octal, four, eight] = coded
  const code =
    octal === undefined ? Number.parseInt(two ?? four ?? eight ?? '', 16) : Number.parseInt(octal, 8)
  const isByte = (two ?? octal) !== undefined
  if (code > (isByte ? 0xff : 0x10ffff) || (code >= 0xd800 && code < 0xe000))
    throw parseError(input, start, 'escape sequence is an invalid Unicode code point')
  return { code, isByte, length: 1 + all.length }
}

/** `line:column` of a position, both counted from 1. */
export function lineAndColumn(input: string, position: number): string {
  const before = input.slice(0, position)
  return `${before.split('\n').length}:${position - before.lastIndexOf('\n')}`
}

/** A fault of an expression, with line and column as Prometheus reports them. */
export function parseError(input: string, position: number, problem: string): BadData {
  return new BadData(`${lineAndColumn(input, position)}: parse error: ${problem}`)
}
