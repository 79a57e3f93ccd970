/** Reads the tokens of an expression one after another, and makes the messages of syntax errors. */
import { type Token, tokenize } from './lexer.ts'
import { parseError } from './parse-error.ts'

export interface TokenCursor {
  /** The next token, or a later one; the end token if there are no more. */
  peek(ahead?: number): Token
  take(): Token
  isOperator(text: string, ahead?: number): boolean
  /** Whether the next token is this keyword, in any case. */
  isWord(word: string): boolean
  /** Takes an operator. `context` completes the message if another token comes. */
  expect(operator: string, context: string): Token
  /** Where the last token ends. */
  readonly previousEnd: number
  readonly isAtStart: boolean
  fail(where: number | Token, problem: string): never
  unexpected(context: string, expected?: string): never
}

const endToken: Token = { kind: 'end', text: '', start: 0, end: 0 }

export function createTokenCursor(input: string): TokenCursor {
  const tokens = tokenize(input)
  let at = 0
  const peek = (ahead = 0): Token => tokens[Math.min(at + ahead, tokens.length - 1)] ?? endToken
  const fail = (where: number | Token, problem: string): never => {
    throw parseError(input, typeof where === 'number' ? where : where.start, problem)
  }
  const cursor: TokenCursor = {
    peek,
    take() {
      const taken = peek()
      at++
      return taken
    },
    isOperator: (text, ahead = 0) => peek(ahead).kind === 'operator' && peek(ahead).text === text,
    isWord: (word) => peek().kind === 'identifier' && peek().text.toLowerCase() === word,
    expect: (operator, context) =>
      cursor.isOperator(operator) ? cursor.take() : cursor.unexpected(context, JSON.stringify(operator)),
    get previousEnd() {
      return tokens[at - 1]?.end ?? 0
    },
    get isAtStart() {
      return at === 0
    },
    fail,
    unexpected(context, expected) {
      const where = context === '' ? '' : ` ${context}`
      const wanted = expected === undefined ? '' : `, expected ${expected}`
      return fail(peek(), `unexpected ${printToken(peek())}${where}${wanted}`)
    },
  }
  return cursor
}

export function printToken(token: Token): string {
  if (token.kind === 'end') return 'end of input'
  if (token.kind === 'operator') return JSON.stringify(token.text)
  return `${token.kind} ${JSON.stringify(token.text)}`
}

export function isLabelName(token: Token): boolean {
  return token.kind === 'identifier' && !token.text.includes(':')
}
