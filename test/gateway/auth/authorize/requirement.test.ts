import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allOf,
  always,
  both,
  type Claim,
  implies,
  isMet,
  policiesIn,
  policyClaim,
  requirementFrom,
  scopeClaim,
  scopesIn,
} from '../../../../gateway/auth/authorize/requirement.ts'

const alternatives = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }), {
  maxLength: 4,
})
const callers = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
const meets = (requirement: Parameters<typeof isMet>[0], held: readonly Claim[]): boolean =>
  isMet(requirement, (claim) => held.includes(claim))

describe('a requirement', () => {
  it('has each alternative once, sorted, without those that another one makes needless', () => {
    expect(requirementFrom([['b', 'a', 'b'], ['c'], ['a', 'b'], ['c', 'd'], ['a']])).toEqual([['a'], ['c']])
    expect(requirementFrom([['b', 'c'], ['a', 'd'], ['e']])).toEqual([['e'], ['a', 'd'], ['b', 'c']])
    expect(requirementFrom([['a', 'd'], ['b', 'c'], ['e']])).toEqual([['e'], ['a', 'd'], ['b', 'c']])
    expect(requirementFrom([['b'], ['a']])).toEqual([['a'], ['b']])
  })

  it('without alternatives, or with an empty one, demands nothing', () => {
    expect(requirementFrom([])).toEqual(always)
    expect(requirementFrom([['a'], []])).toEqual(always)
    expect(meets(always, [])).toBe(true)
  })

  it('is met by one of its alternatives, with all of its claims', () => {
    fc.assert(
      fc.property(alternatives, callers, (all, held) => {
        const expected =
          all.length === 0 || all.some((claims) => claims.every((claim) => held.includes(claim)))
        expect(meets(requirementFrom(all), held)).toBe(expected)
      }),
    )
  })

  it('together with others is met by callers who meet each of them', () => {
    fc.assert(
      fc.property(fc.array(alternatives, { maxLength: 3 }), callers, (all, held) => {
        const requirements = all.map(requirementFrom)
        expect(meets(allOf(requirements) ?? [], held)).toBe(requirements.every((each) => meets(each, held)))
      }),
    )
  })

  it('together with others is not spelt out past 256 alternatives', () => {
    const wide = (count: number, name: string) =>
      requirementFrom(Array.from({ length: count }, (_, index) => [`${name}${index}`]))
    expect(both(wide(16, 'a'), wide(16, 'b'))).toHaveLength(256)
    expect(both(wide(257, 'a'), wide(1, 'b'))).toBeUndefined()
    expect(allOf([wide(16, 'a'), wide(16, 'b')])).toHaveLength(256)
    expect(allOf([wide(16, 'a'), wide(17, 'b'), wide(1, 'c')])).toBeUndefined()
    expect(allOf([])).toEqual(always)
  })

  it('implies what every caller meets who meets it', () => {
    fc.assert(
      fc.property(alternatives, alternatives, (some, others) => {
        const [given, needed] = [requirementFrom(some), requirementFrom(others)]
        const everyone = fc.sample(callers, 64)
        if (implies(given, needed))
          for (const held of everyone) expect(!meets(given, held) || meets(needed, held)).toBe(true)
        // The caller who holds just what one alternative names is the one who could fail.
        else expect(given.some((claims) => !meets(needed, claims))).toBe(true)
      }),
    )
  })
})

it('claims name what kind they are', () => {
  const claims = [scopeClaim('policy:x'), policyClaim('scope:x'), scopeClaim('y'), 'authenticated']
  expect(scopesIn(claims)).toEqual(['policy:x', 'y'])
  expect(policiesIn(claims)).toEqual(['scope:x'])
})
