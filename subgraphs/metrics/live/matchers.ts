/** Conditions on the labels of alerts. Regular expressions are RE2's, which always run in linear time. */
import { createRequire } from 'node:module'
import { badInput } from '../../../shared/errors.ts'
import { wrong } from '../arguments.ts'
import type { Labels } from '../values.ts'

const require = createRequire(import.meta.url)

/** Loaded with the first expression, because it has large tables. */
const re2 = (): typeof import('re2js') => require('re2js') as typeof import('re2js')

const mostMatchers = 20
const longestName = 200
const longestValue = 1000

interface LabelMatcher {
  readonly name: string
  readonly match?: 'EQUAL' | 'NOT_EQUAL' | 'REGEX' | 'NOT_REGEX' | null | undefined
  readonly value: string
}

export type LabelTest = (labels: Labels) => boolean

/** A test that all conditions hold, and its name. Equal names mean equal tests. Throws if a condition is wrong. */
export function matchersFrom(matchers: readonly LabelMatcher[] | null | undefined): {
  readonly name: string
  readonly passes: LabelTest
} {
  const given = matchers ?? []
  if (given.length > mostMatchers)
    throw wrong('labels', `expected at most ${mostMatchers} matchers, not ${given.length}.`)
  const tests = given.map(({ name, match, value }, at): LabelTest => {
    if (name === '' || name.length > longestName)
      throw badInput(`labels[${at}].name: expected 1 to ${longestName} characters.`, { argument: 'labels' })
    if (value.length > longestValue)
      throw badInput(`labels[${at}].value: expected at most ${longestValue} characters.`, {
        argument: 'labels',
      })
    const test = testFor(match ?? 'EQUAL', value, at)
    return (labels) => test(Object.hasOwn(labels, name) ? String(labels[name]) : '')
  })
  const parts = given.map(({ name, match, value }) => JSON.stringify([name, match ?? 'EQUAL', value]))
  return { name: parts.sort().join(), passes: (labels) => tests.every((test) => test(labels)) }
}

function testFor(
  match: NonNullable<LabelMatcher['match']>,
  value: string,
  at: number,
): (text: string) => boolean {
  if (match === 'EQUAL') return (text) => text === value
  if (match === 'NOT_EQUAL') return (text) => text !== value
  const { RE2JS, RE2JSSyntaxException } = re2()
  try {
    const expression = RE2JS.compile(value, RE2JS.DOTALL)
    return match === 'REGEX' ? (text) => expression.testExact(text) : (text) => !expression.testExact(text)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw badInput(`labels[${at}].value: expected a regular expression in RE2 form.`, { argument: 'labels' })
  }
}
