/** Reads the tokens of an expression one after another, and makes the messages of syntax errors. */
import { floatFrom, unitDurationFrom } from '../number.ts'
import { parseError, type Token, tokenize } from './lexer.ts'

const endToken: Token = { kind: 'end', text: '', start: 0, end: 0 }

export class TokenCursor {
  readonly #input: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(input: string) {
    this.#input = input
    this.#tokens = tokenize(input)
  }

  get previousEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0
  }

  get isAtStart(): boolean {
    return this.#at === 0
  }

  /** The next token, or a later one; the end token if there are no more. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] ?? endToken
  }

  take(): Token {
    const taken = this.peek()
    this.#at++
    return taken
  }

  isOperator(text: string, ahead = 0): boolean {
    const { kind, text: found } = this.peek(ahead)
    return kind === 'operator' && found === text
  }

  /** Whether the next token is this keyword, in any case. */
  isWord(word: string): boolean {
    const { kind, text } = this.peek()
    return kind === 'identifier' && text.toLowerCase() === word
  }

  /** Takes an operator. `context` completes the message if another token comes. */
  expect(operator: string, context: string): Token {
    return this.isOperator(operator) ? this.take() : this.unexpected(context, JSON.stringify(operator))
  }

  numberOf(token: Token): number {
    // As in Go, an integer with a leading zero is octal, and a hexadecimal number needs no exponent.
    if (/^0[0-7]+$/.test(token.text)) return Number.parseInt(token.text, 8)
    if (/^0[xX]/.test(token.text)) return Number.parseInt(token.text, 16)
    return floatFrom(token.text) ?? this.fail(token, `error parsing number: ${JSON.stringify(token.text)}`)
  }

  /** The milliseconds of a token with units, such as `1h30m`. */
  durationOf(token: Token): number {
    const problem = `not a valid duration string: ${JSON.stringify(token.text)}`
    return unitDurationFrom(token.text) ?? this.fail(token, problem)
  }

  /** Takes a duration with units or a number of seconds. Returns milliseconds. */
  takeDuration(allowsZero = false): number {
    const token = this.peek()
    if (token.kind !== 'duration' && token.kind !== 'number') return this.unexpected('', 'duration')
    this.take()
    const milliseconds = token.kind === 'duration' ? this.durationOf(token) : this.numberOf(token) * 1000
    if (!allowsZero && milliseconds <= 0) this.fail(token, 'duration must be greater than 0')
    return Math.trunc(milliseconds)
  }

  fail(where: number | Token, problem: string): never {
    throw parseError(this.#input, typeof where === 'number' ? where : where.start, problem)
  }

  unexpected(context: string, expected?: string): never {
    const where = context === '' ? '' : ` ${context}`
    // At the end Prometheus names what is open instead of what was expected.
    if (this.peek().kind === 'end') {
      if (context === 'inside braces') return this.fail(this.peek(), `unexpected end of input${where}`)
      if (this.#leavesOpen('(', ')')) return this.fail(this.peek(), 'unclosed left parenthesis')
      if (this.#leavesOpen('[', ']')) return this.fail(this.peek(), 'unclosed left bracket')
    }
    const wanted = expected === undefined ? '' : `, expected ${expected}`
    return this.fail(this.peek(), `unexpected ${printToken(this.peek())}${where}${wanted}`)
  }

  #leavesOpen(left: string, right: string): boolean {
    const count = (text: string): number =>
      this.#tokens.filter((token) => token.kind === 'operator' && token.text === text).length
    return count(left) > count(right)
  }
}

export function printToken(token: Token): string {
  if (token.kind === 'end') return 'end of input'
  if (token.kind === 'operator') return JSON.stringify(token.text)
  return `${token.kind} ${JSON.stringify(token.text)}`
}

export function isLabelName(token: Token): boolean {
  return token.kind === 'identifier' && !token.text.includes(':')
}
