/** What a caller reads of a refused field. */
import { GraphQLError } from 'graphql'
import { describe, expect, it } from 'vitest'
import { explain, refusalError, requirementInWords } from '../../../../gateway/auth/authorize/refusal.ts'
import {
  authenticated,
  type Claim,
  policyClaim,
  type Requirement,
  requirementFrom,
  scopeClaim,
} from '../../../../gateway/auth/authorize/requirement.ts'
import { stepUpClaim } from '../../../../gateway/auth/authorize/step-up.ts'
import { challengeOf } from '../../../../gateway/auth/challenge.ts'

const [a, b, c, d] = [scopeClaim('a'), scopeClaim('b'), scopeClaim('c'), scopeClaim('d')]
const p = policyClaim('p')
const fresh = stepUpClaim({ acrValues: [], maxAge: 300 })

describe('a requirement in words', () => {
  it.each<[Requirement, string]>([
    [[[]], ''],
    [[[a], []], ''],
    [[[a]], '`a`'],
    [[[a, b]], '`a` and `b`'],
    [[[a, b, c]], '`a`, `b` and `c`'],
    [[[a], [b]], '`a` or `b`'],
    [[[a], [b], [c]], '`a`, `b` or `c`'],
    [[[a, b], [c]], '(`a` and `b`) or `c`'],
    [[[a, p]], '`a` and the policy `p`'],
    [[[authenticated]], 'a signed-in caller'],
    [[[authenticated, a]], '`a`'],
    [[[a], [a, authenticated]], '`a`'],
    [[[fresh]], 'a sign-in of the last 5 minutes'],
    [[[fresh, a]], '`a` and a sign-in of the last 5 minutes'],
  ])('%j', (requirement, words) => {
    expect(requirementInWords(requirement)).toBe(words)
  })
})

const explained = (gate: readonly Requirement[], ...held: Claim[]) =>
  explain('Video.title', gate, (claim) => held.includes(claim))
/** With the alternatives as they are written: `a b | c d`. */
const named = (alternatives: string): string[][] => alternatives.split(' | ').map((names) => names.split(' '))
const either = requirementFrom(named('a b | c d').map((names) => names.map(scopeClaim)))

describe('a refusal', () => {
  it('names what is required, and the least that is missing', () => {
    expect(explained([either], authenticated, a)).toEqual({
      message: 'Video.title requires (`a` and `b`) or (`c` and `d`). This caller lacks `b`.',
      extensions: {
        code: 'UNAUTHORIZED_FIELD_OR_TYPE',
        authorization: {
          required: named('a b | c d'),
          missing: ['b'],
          challenge: { error: 'insufficient_scope', scope: 'b' },
        },
      },
    })
    expect(explained([either], authenticated, d).message).toContain('This caller lacks `c`.')
    expect(explained([[[a, b], [c]]], authenticated).extensions).toMatchObject({
      authorization: { missing: ['c'] },
    })
  })

  it('says no more if all is missing', () => {
    expect(explained([[[a]]], authenticated).message).toBe('Video.title requires `a`. This caller lacks it.')
    expect(explained([[[a, b]]], authenticated).message).toBe(
      'Video.title requires `a` and `b`. This caller lacks them.',
    )
  })

  it('says that there is no token', () => {
    expect(explained([[[a]]])).toEqual({
      message: 'Video.title requires `a`. The request carries no token.',
      extensions: {
        code: 'UNAUTHORIZED_FIELD_OR_TYPE',
        authorization: { required: [['a']], missing: ['a'], authenticated: false, challenge: { scope: 'a' } },
      },
    })
    expect(explained([[[authenticated]]])).toMatchObject({
      message: 'Video.title requires a signed-in caller. The request carries no token.',
      extensions: { authorization: { required: [[]], missing: [], authenticated: false, challenge: {} } },
    })
  })

  it('keeps policies apart, for which there is no challenge', () => {
    expect(explained([[[a, p]]], authenticated, a)).toEqual({
      message: 'Video.title requires `a` and the policy `p`. This caller lacks the policy `p`.',
      extensions: {
        code: 'UNAUTHORIZED_FIELD_OR_TYPE',
        authorization: { required: [['a']], missing: [], policies: [['p']], missingPolicies: ['p'] },
      },
    })
  })

  it('asks for a sign-in if that is what is missing', () => {
    expect(explained([[[a, fresh]]], authenticated, a).extensions).toMatchObject({
      authorization: { challenge: { error: 'insufficient_user_authentication', max_age: 300 } },
    })
  })

  it('puts the rules of a field and its type together, each list once', () => {
    expect(explained([[[a]], [[b], [c]]], authenticated, a)).toMatchObject({
      message: 'Video.title requires (`a` and `b`) or (`a` and `c`). This caller lacks `b`.',
      extensions: { authorization: { required: named('a b | a c') } },
    })
    const withPolicy = requirementFrom([a, b].map((scope) => [scope, p]))
    expect(explained([withPolicy], authenticated).extensions).toMatchObject({
      authorization: { required: [['a'], ['b']], policies: [['p']] },
    })
  })

  it('names the first unmet rule if all together are too many to spell out', () => {
    const wide = (name: string) =>
      requirementFrom(Array.from({ length: 20 }, (_, index) => [scopeClaim(`${name}${index}`)]))
    const met = explained([wide('x'), wide('y')], authenticated, scopeClaim('x3'))
    expect(met.message).toMatch(/^Video\.title requires `y0`, /)
    expect(met.message).not.toContain('`x')
    const none = explained([wide('x'), wide('y')], authenticated)
    expect(none.message).toMatch(/^Video\.title requires `x0`, /)
    // An alternative of which a part alone is held is not met.
    const both = explained([[[a, b]], wide('x'), wide('y')], authenticated, a)
    expect(both.message).toBe('Video.title requires `a` and `b`. This caller lacks `b`.')
  })
})

it('the error of a refusal has its path', () => {
  const error = refusalError(explained([[[a]]], authenticated), ['video', 'title'])
  expect(error.toJSON()).toMatchObject({
    message: 'Video.title requires `a`. This caller lacks it.',
    path: ['video', 'title'],
    extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' },
  })
})

describe('a challenge', () => {
  const identity = { scopes: new Set<string>(), claims: {}, authenticated: true }
  const refused = (extensions: object): GraphQLError =>
    new GraphQLError('No.', { extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', ...extensions } })

  it('is written from what the refusal carries, which its copies in errors keep', () => {
    const strong = stepUpClaim({ acrValues: ['strong'], maxAge: 60 })
    const { extensions } = explain(
      'Query.f',
      [requirementFrom([[strong]])],
      (claim) => claim === authenticated,
    )
    const authorization = extensions.authorization as object
    // What is only said of it, as a hook or a subgraph could say it, is not what it carries.
    Object.assign(authorization, { challenge: { acr_values: 'weak', max_age: 9 } })
    const { challenge } = challengeOf([refused({ ...extensions })], identity) ?? {}
    expect(challenge).toMatchObject({ acr_values: 'strong', max_age: 60 })
  })

  it('passes on what a subgraph says about its own refusals, and invents nothing', () => {
    const said = { authorization: { required: [['a b', 7, 'c']], challenge: { max_age: '9' } } }
    expect(challengeOf([refused(said)], identity)?.challenge).toEqual({
      error: 'insufficient_scope',
      scope: 'c',
    })
    for (const odd of [{}, { authorization: 'x' }, { authorization: null }])
      expect(challengeOf([refused(odd)], identity)).toBeUndefined()
  })
})
