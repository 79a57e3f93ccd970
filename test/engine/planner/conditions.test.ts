/** Conditions of `@skip` and `@include`, joined and compared. */
import { describe, expect, test } from 'vitest'
import {
  always,
  and,
  areMet,
  type Conjunction,
  conditionsOf,
  implies,
  widen,
  without,
} from '../../../engine/operation/conditions.ts'

/** Written as its key is: `!$b $a`. */
const conjunction = (text: string): Conjunction => {
  const conditions = text
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => ({ variable: each.replace(/^!?\$/, ''), value: !each.startsWith('!') }))
  const made = and(always, conditions)
  if (made === undefined) throw new Error(`${text}: expected conditions that can hold together`)
  return made
}

describe('a conjunction', () => {
  test('has each variable once, sorted by name, however it came about', () => {
    expect(conjunction('$b !$a $c')).toEqual({
      key: '!$a $b $c',
      all: [
        { variable: 'a', value: false },
        { variable: 'b', value: true },
        { variable: 'c', value: true },
      ],
    })
    expect(and(conjunction('$b'), conjunction('$b !$a').all)?.key).toBe('!$a $b')
    expect(and(always, [...conjunction('$a').all, ...conjunction('$a').all])?.key).toBe('$a')
  })

  test('stays the same object if nothing is added', () => {
    const both = conjunction('$a $b')
    expect(and(both, [])).toBe(both)
    expect(and(both, conjunction('$b').all)).toBe(both)
    expect(both.key).toBe('$a $b')
  })

  test('is none if conditions exclude each other', () => {
    expect(and(conjunction('$a $b'), conjunction('!$b').all)).toBeUndefined()
    expect(and(always, [...conjunction('$a').all, ...conjunction('!$a').all])).toBeUndefined()
  })

  test.each([
    ['$a', '', true],
    ['', '', true],
    ['', '$a', false],
    ['$a', '$a', true],
    ['$a $b', '$b', true],
    ['$b', '$a $b', false],
    ['!$a', '$a', false],
    ['$a !$b', '!$b', true],
    ['$a', '$b', false],
  ])('"%s" implies "%s": %s', (strong, weak, expected) => {
    expect(implies(conjunction(strong), conjunction(weak))).toBe(expected)
  })

  test('without the variables of another one has the remaining conditions', () => {
    const all = conjunction('$a !$b $c')
    expect(without(all, always)).toBe(all.all)
    expect(without(all, conjunction('$a $b'))).toEqual([{ variable: 'c', value: true }])
    expect(without(all, conjunction('$d'))).toEqual(all.all)
  })
})

describe('any of several conjunctions', () => {
  const widened = (...texts: readonly string[]) => {
    const any: Conjunction[] = []
    const changes = texts.map((text) => widen(any, conjunction(text)))
    return [any.map(({ key }) => key), changes]
  }

  test('has none that another one covers', () => {
    expect(widened('$a $b', '$c', '$a')).toEqual([
      ['$c', '$a'],
      [true, true, true],
    ])
    expect(widened('$a', '$a $b', '$a')).toEqual([['$a'], [true, false, false]])
    expect(widened('$a', '!$a', '')).toEqual([[''], [true, true, true]])
    expect(widened('', '$a')).toEqual([[''], [true, false]])
  })

  test('are sorted in a plan, and left out if one of them always holds', () => {
    const any = [conjunction('$b'), conjunction('!$c'), conjunction('$a')]
    expect(conditionsOf(any)?.map(({ key }) => key)).toEqual(['!$c', '$a', '$b'])
    expect(any.map(({ key }) => key)).toEqual(['$b', '!$c', '$a'])
    expect(conditionsOf([...any, always])).toBeUndefined()
    expect(conditionsOf([])).toEqual([])
  })

  test('are decided by the variables of the request', () => {
    const any = [conjunction('$a !$b'), conjunction('$c')]
    expect(areMet(any, { a: true, b: false })).toBe(true)
    expect(areMet(any, { a: true })).toBe(true)
    expect(areMet(any, { a: true, b: true })).toBe(false)
    expect(areMet(any, { a: true, b: true, c: true })).toBe(true)
    expect(areMet(any, { b: null, a: 'true' })).toBe(false)
    expect(areMet(any, {})).toBe(false)
    expect(areMet([], {})).toBe(false)
    expect(areMet(undefined, {})).toBe(true)
  })
})
