import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compose } from '../../../../engine/supergraph/compose/index.ts'
import { loadSupergraph } from '../../../../engine/supergraph/index.ts'
import { createAuthorizer, granted } from '../../../../gateway/auth/authorize/index.ts'
import {
  meetsStepUp,
  stepUpClaim,
  stepUpFrom,
  stepUpInWords,
  stepUpsIn,
} from '../../../../gateway/auth/authorize/step-up.ts'
import { withStepUpRules } from '../../../../gateway/auth/step-up-rules.ts'
import { anonymous, type Identity } from '../../../../shared/identity.ts'
import { normalisedOf } from '../../../support/normalised.ts'

const typeDefs = parse(`
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective", "@requiresScopes"])
    @link(url: "https://tessera.example/stepUp/v0.1", import: ["@stepUp"])
    @composeDirective(name: "@stepUp")
  directive @stepUp(acrValues: [String!], maxAge: Int) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM
  type Query {
    open: Int
    fresh: Int @stepUp(maxAge: 60)
    strong: Int @stepUp(acrValues: ["gold", "silver"]) @requiresScopes(scopes: [["a"]])
    signedIn: Int @stepUp
  }
`)

const supergraphOf = (composer: 'ours' | 'apollo'): string => {
  const source = { name: 'one', url: 'http://127.0.0.1:1', typeDefs }
  const { supergraph } = compose([source])
  const { supergraphSdl } = composeServices([source])
  const sdl = composer === 'ours' ? supergraph : supergraphSdl
  if (sdl === undefined) throw new Error('it does not compose')
  return sdl
}

/** 2026-01-01, in seconds. */
const start = 1_767_225_600

const caller = (claims: Record<string, unknown>, ...scopes: string[]): Identity => ({
  subject: 'ada',
  scopes: new Set(scopes),
  claims,
  authenticated: true,
})

describe.each(['ours', 'apollo'] as const)('a supergraph that %s composed', (composer) => {
  const { document, apiSchema } = loadSupergraph(supergraphOf(composer))
  let now = start * 1000
  const authorizer = createAuthorizer(document, apiSchema, { now: () => now })
  const isOpen = (field: string, identity: Identity): boolean =>
    authorizer.analyze(normalisedOf(apiSchema, `{ ${field} }`)).grant(identity) === granted

  it('opens a field to a sign-in that is fresh, until it no longer is', () => {
    const ada = caller({ auth_time: start })
    now = (start + 60) * 1000
    expect(isOpen('fresh', ada)).toBe(true)
    now = (start + 61) * 1000
    expect(isOpen('fresh', ada)).toBe(false)
    now = start * 1000
  })

  it('opens a field to the ways of signing in that it names, beside its scopes', () => {
    expect(isOpen('strong', caller({ acr: 'silver' }, 'a'))).toBe(true)
    expect(isOpen('strong', caller({ acr: 'silver' }))).toBe(false)
    for (const acr of ['bronze', undefined, ['gold'], 'Gold'])
      expect(isOpen('strong', caller({ acr }, 'a'))).toBe(false)
  })

  it('opens nothing to a caller without a token, whatever the claims say', () => {
    for (const field of ['fresh', 'strong', 'signedIn']) {
      expect(isOpen(field, anonymous)).toBe(false)
      expect(isOpen(field, { ...caller({ auth_time: start, acr: 'gold' }, 'a'), authenticated: false })).toBe(
        false,
      )
    }
    expect(isOpen('signedIn', caller({}))).toBe(true)
    expect(isOpen('open', anonymous)).toBe(true)
  })
})

describe('rules of the configuration', () => {
  const { document, apiSchema } = loadSupergraph(supergraphOf('ours'))

  it('add to those of the supergraph', () => {
    const authorizer = createAuthorizer(
      withStepUpRules(document, { 'Query.open': { maxAge: 10 } }),
      apiSchema,
      { now: () => start * 1000 },
    )
    const grant = (identity: Identity) =>
      authorizer.analyze(normalisedOf(apiSchema, '{ open }')).grant(identity)
    expect(grant(caller({ auth_time: start - 10 }))).toBe(granted)
    expect(grant(caller({ auth_time: start - 11 }))).not.toBe(granted)
  })

  it('are wrong if the graph has no such field', () => {
    for (const name of ['Query.none', 'None.open', 'open', 'Query.toString'])
      expect(() => withStepUpRules(document, { [name]: { maxAge: 10 } })).toThrow(`the graph has no ${name}`)
  })
})

describe('a sign-in in words', () => {
  it.each([
    [[], undefined, 'a sign-in'],
    [[], 1, 'a sign-in of the last second'],
    [[], 59, 'a sign-in of the last 59 seconds'],
    [[], 60, 'a sign-in of the last minute'],
    [[], 61, 'a sign-in of the last 61 seconds'],
    [[], 300, 'a sign-in of the last 5 minutes'],
    [[], 3_600, 'a sign-in of the last hour'],
    [[], 7_200, 'a sign-in of the last 2 hours'],
    [[], 86_400, 'a sign-in of the last day'],
    [['gold'], undefined, 'a sign-in by `gold`'],
    [['gold', 'silver'], 172_800, 'a sign-in of the last 2 days by `gold` or `silver`'],
  ])('%j within %s seconds', (acrValues, maxAge, words) => {
    expect(stepUpInWords({ acrValues, maxAge })).toBe(words)
  })
})

describe('the claim of a sign-in', () => {
  it.each([
    { acrValues: [], maxAge: undefined },
    { acrValues: ['gold', 'silver'], maxAge: 0 },
  ])('is read as it was written: %j', (stepUp) => {
    expect(stepUpFrom(stepUpClaim(stepUp))).toEqual(stepUp)
    expect(stepUpsIn(['scope:a', stepUpClaim(stepUp), 'authenticated'])).toEqual([stepUp])
  })

  it('is met only by a token that says so', () => {
    const gold = { acrValues: ['gold'], maxAge: undefined }
    const fresh = { acrValues: [], maxAge: 60 }
    const now = start * 1000
    expect(meetsStepUp(gold, caller({ acr: 'gold' }), now)).toBe(true)
    expect(meetsStepUp(gold, caller({ acr: 'tin' }), now)).toBe(false)
    expect(meetsStepUp(gold, caller({ acr: ['gold'] }), now)).toBe(false)
    expect(meetsStepUp(gold, caller({}), now)).toBe(false)
    expect(meetsStepUp(fresh, caller({ auth_time: start - 60 }), now + 999)).toBe(true)
    expect(meetsStepUp(fresh, caller({ auth_time: start - 61 }), now)).toBe(false)
    expect(meetsStepUp(fresh, caller({ auth_time: String(start) }), now)).toBe(false)
    expect(meetsStepUp(fresh, caller({}), now)).toBe(false)
    expect(meetsStepUp(gold, { ...caller({ acr: 'gold' }), authenticated: false }, now)).toBe(false)
  })
})
