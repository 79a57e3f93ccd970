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
  it('say of each claim whether it is held', () => {
    const all = [authenticated, ...scopes(70)]
    const bits = createClaimBits(all)
    fc.assert(
      fc.property(fc.subarray(all), (held) => {
        const own = bits.of(held)
        expect(all.filter((claim) => bits.holds(own, claim))).toEqual(held)
      }),
    )
    expect(bits.holds(bits.of(all), 'scope:unknown')).toBe(false)
    expect(bits.of(['scope:unknown'])).toEqual(bits.of([]))
  })

  it('are those of the token, and further ones only for the request', () => {
    const policy = policyClaim('p')
    const bits = createClaimBits([...scopes(40), policy])
    const caller = callerWith('s3', 's39', 'other')
    const held = bits.held(caller)
    expect(held).toEqual(bits.of([authenticated, 'scope:s3', 'scope:s39']))
    expect(held | bits.of([policy])).toEqual(bits.of([authenticated, 'scope:s3', 'scope:s39', policy]))
    expect(bits.holds(held, policy)).toBe(false)
  })

  it('are found once for each set of scopes, with a token and without', () => {
    const bits = createClaimBits(scopes(1))
    const caller = callerWith('s0')
    expect(bits.held({ ...caller })).toBe(bits.held(caller))
    const unsigned = { ...caller, authenticated: false }
    expect(bits.held(unsigned)).toEqual(bits.of(['scope:s0']))
    expect(bits.held(unsigned)).toBe(bits.held(unsigned))
  })
})

describe.each([8, 100])('grants of %i scopes', (count) => {
  const all: readonly Claim[] = [authenticated, ...scopes(count)]
  const bits = createClaimBits(all)
  const last = scopeClaim(`s${count - 1}`)
  const middle = scopeClaim('s5')
  const requirements = [requirementFrom([['scope:s1', last]]), requirementFrom([[middle], ['scope:s2']])]
  const grantOf = createGrants(bits, requirements)
  const grantWith = (...claims: Claim[]) => grantOf(bits.of(claims))

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
