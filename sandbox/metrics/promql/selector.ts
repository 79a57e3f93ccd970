/**
 * Parses vector selectors: a metric's name, matchers in braces, and lists of labels for `by`, `on` and similar
 * clauses.
 */
import { createRequire } from 'node:module'
import { metricName } from '../labels.ts'
import type { Matcher, MatchOperator, SelectorNode } from './expression.ts'
import type { Token } from './lexer.ts'
import { isLabelName, printToken, type TokenCursor } from './token-cursor.ts'

const require = createRequire(import.meta.url)

/** Loaded with the first pattern, because it has large tables. */
const re2 = (): typeof import('re2js') => require('re2js') as typeof import('re2js')

/**
 * Compiles a pattern to a test of whole values. Throws an Error with RE2's message. Prometheus uses Go's RE2, and
 * `re2js` is a port of it with the same syntax, limits and error messages. So a hostile pattern cannot block the
 * process, and every pattern matches the same as in Prometheus.
 */
export function compileAnchored(pattern: string): (value: string) => boolean {
  const { RE2JS, RE2JSSyntaxException } = re2()
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return (value) => compiled.testExact(value)
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) throw cause
    // The exception quotes the pattern with the flags that were added to it.
    const part = cause.input?.replace(/^\(\?s\)/, '')
    throw new Error(`error parsing regexp: ${cause.error}${part === undefined ? '' : `: \`${part}\``}`)
  }
}

/** `name` is the metric's name, if it was taken already. */
export function parseSelector(cursor: TokenCursor, name: Token | undefined): SelectorNode {
  const first = name ?? cursor.peek()
  const matchers: Matcher[] =
    name === undefined ? [] : [createMatcher(cursor, name, metricName, '=', name.text)]
  let { end } = first
  if (cursor.isOperator('{')) {
    cursor.take()
    while (!cursor.isOperator('}')) {
      matchers.push(parseMatcher(cursor, matchers))
      if (cursor.isOperator('}')) break
      if (!cursor.isOperator(',')) cursor.unexpected('inside braces', '"," or "}"')
      cursor.take()
    }
    end = cursor.take().end
  }
  if (matchers.every((matcher) => matcher.matches(''))) {
    cursor.fail(first.start, 'vector selector must contain at least one non-empty matcher')
  }
  return { kind: 'selector', matchers, offset: 0, at: undefined, start: first.start, end }
}

function parseMatcher(cursor: TokenCursor, earlier: readonly Matcher[]): Matcher {
  const label = cursor.peek()
  if (label.kind === 'end') cursor.unexpected('inside braces')
  const isQuoted = label.kind === 'string'
  if (!isQuoted && !isLabelName(label)) cursor.unexpected('inside braces', 'identifier or "}"')
  cursor.take()
  if (isQuoted && (cursor.isOperator(',') || cursor.isOperator('}'))) {
    if (earlier.some(({ name }) => name === metricName)) {
      cursor.fail(label, `metric name must not be set twice: "${label.text}"`)
    }
    return createMatcher(cursor, label, metricName, '=', label.text)
  }
  const operator = cursor.peek()
  if (operator.kind !== 'operator' || !isMatchOperator(operator.text)) {
    return cursor.unexpected('inside braces', 'label matching operator')
  }
  cursor.take()
  const value = cursor.peek()
  if (value.kind !== 'string') return cursor.unexpected('inside braces', 'string')
  cursor.take()
  if (label.text === metricName && earlier.some((one) => one.name === metricName && one.operator === '=')) {
    cursor.fail(label, `metric name must not be set twice: ${JSON.stringify(value.text)}`)
  }
  return createMatcher(cursor, value, label.text, operator.text, value.text)
}

function isMatchOperator(text: string): text is MatchOperator {
  return text === '=' || text === '!=' || text === '=~' || text === '!~'
}

function createMatcher(
  cursor: TokenCursor,
  where: Token,
  name: string,
  operator: MatchOperator,
  value: string,
): Matcher {
  const isNegated = operator.startsWith('!')
  if (!operator.endsWith('~')) {
    return { name, operator, value, matches: (tested) => (tested === value) !== isNegated }
  }
  try {
    const test = compileAnchored(value)
    return { name, operator, value, matches: (tested) => test(tested) !== isNegated }
  } catch (cause) {
    return cursor.fail(where, cause instanceof Error ? cause.message : 'invalid regular expression')
  }
}

/** Label names in parentheses. */
export function parseLabelList(cursor: TokenCursor): string[] {
  cursor.expect('(', 'in grouping opts')
  const labels: string[] = []
  while (!cursor.isOperator(')')) {
    const label = cursor.take()
    const isValid = label.kind === 'string' ? label.text !== '' : isLabelName(label)
    if (!isValid) cursor.fail(label, `unexpected ${printToken(label)} in grouping opts, expected label`)
    labels.push(label.text)
    if (!cursor.isOperator(')')) cursor.expect(',', 'in grouping opts')
  }
  cursor.take()
  return labels
}
