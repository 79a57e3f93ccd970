/** The length of `WWW-Authenticate`: proxies refuse a response whose headers are longer than their buffer. */
import { expect, test } from 'vitest'
import { challengeHeader, withScopesOf } from '../../../gateway/auth/challenge.ts'
import { anonymous } from '../../../shared/identity.ts'

const metadata = 'https://api.example.com/.well-known/oauth-protected-resource/graphql'
const schemes = { bearer: true, dpop: ['ES256'] }
const scopesOf = (count: number): string =>
  Array.from({ length: count }, (_, n) => `scope-${n}`.padEnd(60, 'x')).join(' ')

test('a challenge names scopes if there are as many as one operation usually needs', () => {
  const scope = scopesOf(20)
  const header = challengeHeader({ error: 'insufficient_scope', scope }, metadata, schemes)
  expect(header.split(`scope="${scope}"`).length).toBe(3)
})

test('a challenge without room for its scopes has the address of the document that lists them', () => {
  const header = challengeHeader({ error: 'insufficient_scope', scope: scopesOf(100) }, metadata, schemes)
  const parameters = `resource_metadata="${metadata}", error="insufficient_scope"`
  expect(header).toBe(`Bearer ${parameters}, DPoP ${parameters}, algs="ES256"`)
})

test.each([
  ['are named as well', { scope: 'a b  a' }, 'a b c'],
  ['are named as well if its issuer lists them', { scp: ['a', 'b'] }, 'a b c'],
  ['are named as well whatever its issuer calls the claim', { scope: 'a', scopes: 'b' }, 'a b c'],
  ['are left out if they have other characters than a scope', { scope: 'a"b x\\y \u00e9 a\u007fb' }, 'c'],
  ['are left out if there is no room for them and what is missing', { scope: scopesOf(50) }, 'c'],
  ['are left out if they are no text', { scope: [1], scp: 2 }, 'c'],
])('scopes of a token %s', (_, claims, scope) => {
  const identity = { ...anonymous, claims }
  const challenge = withScopesOf(identity, { error: 'insufficient_scope', scope: 'c' })
  const parameters = `resource_metadata="${metadata}", error="insufficient_scope", scope="${scope}"`
  expect(challengeHeader(challenge, metadata, schemes)).toBe(
    `Bearer ${parameters}, DPoP ${parameters}, algs="ES256"`,
  )
})
