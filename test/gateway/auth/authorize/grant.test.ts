import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClaimBits, createGrants, granted } from '../../../../gateway/auth/authorize/grant.ts'
import {
  authenticated,
  type Claim,
  isMet,
  policyClaim,
  requirementFrom,
  scopeClaim,
} from '../../../../gateway/auth/authorize/requirement.ts'
import { anonymous, type Identity } from '../../../../shared/identity.ts'

const callerWith = (...scopes: string[]): Identity => ({
  ...anonymous,
  scopes: new Set(scopes),
  authenticated: true,
})
const scopes = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => scopeClaim(`s${index}`))

describe('the bits of claims', () => {
  it.each([
    [0, 1],
    [31, 1],
    [32, 2],
    [63, 2],
    [64, 3],
  ])('of %i claims are %i words', (count, words) => {
    const bits = createClaimBits([...scopes(count), authenticated, ...scopes(count)])
    expect(bits.words).toBe(words)
    expect(bits.mask([])).toHaveLength(words)
  })

  it('say of each claim whether it is held', () => {
    const all = [authenticated, ...scopes(70)]
    const bits = createClaimBits(all)
    fc.assert(
      fc.property(fc.subarray(all), (held) => {
        const words = bits.mask(held)
        expect(all.filter((claim) => bits.holds(words, claim))).toEqual(held)
      }),
    )
    expect(bits.holds(bits.mask(all), 'scope:unknown')).toBe(false)
    expect(bits.mask(['scope:unknown'])).toEqual(bits.mask([]))
  })

  it('are those of the token, and further ones only for the request', () => {
    const policy = policyClaim('p')
    const bits = createClaimBits([...scopes(40), policy])
    const caller = callerWith('s3', 's39', 'other')
    const held = bits.held(caller)
    expect(held).toEqual(bits.mask([authenticated, 'scope:s3', 'scope:s39']))
    expect(bits.with(held, [policy])).toEqual(bits.mask([authenticated, 'scope:s3', 'scope:s39', policy]))
    expect(bits.holds(held, policy)).toBe(false)
  })

  it('are found once for each set of scopes, with a token and without', () => {
    const bits = createClaimBits(scopes(1))
    const caller = callerWith('s0')
    expect(bits.held({ ...caller })).toBe(bits.held(caller))
    const unsigned = { ...caller, authenticated: false }
    expect(bits.held(unsigned)).toEqual(bits.mask(['scope:s0']))
    expect(bits.held(unsigned)).toBe(bits.held(unsigned))
  })
})

describe.each([
  ['one word', 8],
  ['several words', 100],
])('grants in %s', (_, count) => {
  const all: readonly Claim[] = [authenticated, ...scopes(count)]
  const bits = createClaimBits(all)
  const last = scopeClaim(`s${count - 1}`)
  const middle = scopeClaim('s5')
  const requirements = [requirementFrom([['scope:s1', last]]), requirementFrom([[middle], ['scope:s2']])]
  const grantOf = createGrants(bits, requirements)
  const grantWith = (...claims: Claim[]) => grantOf(bits.mask(claims))

  it('are complete if each rule is met', () => {
    expect(grantWith('scope:s1', last, 'scope:s2')).toBe(granted)
    expect(grantWith('scope:s1', last, middle, authenticated)).toBe(granted)
    expect(granted.meets(requirementFrom([['scope:s0']]))).toBe(true)
    expect(grantWith('scope:s1', last)).not.toBe(granted)
    expect(grantWith('scope:s1', middle)).not.toBe(granted)
    expect(grantWith()).not.toBe(granted)
  })

  it('hold what matters to the operation, and nothing else', () => {
    const relevant = [authenticated, 'scope:s1', 'scope:s2', middle, last]
    fc.assert(
      fc.property(fc.subarray([...all]), (held) => {
        const key = grantWith(...held)
        if (key === granted) return
        expect(all.filter((claim) => key.holds(claim))).toEqual(
          held.filter((claim) => relevant.includes(claim)),
        )
        for (const requirement of requirements)
          expect(key.meets(requirement)).toBe(isMet(requirement, (claim) => held.includes(claim)))
        expect(grantWith(...held.filter((claim) => relevant.includes(claim))).key).toBe(key.key)
      }),
    )
  })
})

it('the highest bit of a word is a claim like others', () => {
  const bits = createClaimBits(scopes(31))
  const grantOf = createGrants(bits, [requirementFrom([['scope:s30']]), requirementFrom([['scope:s0']])])
  const key = grantOf(bits.mask(['scope:s30']))
  expect(key.holds('scope:s30')).toBe(true)
  expect(key.holds('scope:s0')).toBe(false)
  expect(grantOf(bits.mask(['scope:s30', 'scope:s0']))).toBe(granted)
})
