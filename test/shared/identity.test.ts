import { expect, test } from 'vitest'
import { anonymous, callerName, rightsOf } from '../../shared/identity.ts'

const caller = (claims: Record<string, unknown>, subject?: string) => ({
  scopes: new Set<string>(),
  claims,
  subject,
  authenticated: true,
})

test('a caller is who the token names, together with its issuer, whichever token is shown', () => {
  const iss = 'https://id.example.com'
  expect(callerName(caller({ iss, jti: '1', username: 'u' }, 'ada'))).toEqual(['subject', iss, 'ada'])
  expect(callerName(caller({ iss, jti: '1', username: 'u', client_id: 'c' }))).toEqual(['username', iss, 'u'])
  expect(callerName(caller({ iss, jti: '2', client_id: 'c' }))).toEqual(['client_id', iss, 'c'])
  expect(callerName(caller({ iss, jti: '2', username: '', client_id: 7 }))).toBeUndefined()
  expect(callerName(anonymous)).toBeUndefined()
})

test('a subject that is no text is not taken for the client, which all its users share', () => {
  expect(callerName(caller({ sub: 12345678901234567000, client_id: 'c' }))).toBeUndefined()
  expect(callerName(caller({ sub: { id: 1 }, username: 'u' }))).toBeUndefined()
  const nobody = caller({ iss: 'a', sub: '', client_id: 'c' }, '')
  expect(callerName(nobody)).toEqual(['client_id', 'a', 'c'])
})

test('names of different kinds or issuers are different callers', () => {
  const names = [
    caller({ iss: 'a' }, 'x'),
    caller({ iss: 'b' }, 'x'),
    caller({ iss: 'a', username: 'x' }),
    caller({ iss: 'a', client_id: 'x' }),
  ].map((each) => JSON.stringify(callerName(each)))
  expect(new Set(names).size).toBe(names.length)
})

test('rights differ by each claim that says what a token opens, and not by the order of scopes', () => {
  const iss = 'https://id.example.com'
  const rights = (claims: object, scopes: readonly string[] = ['a', 'b']) =>
    JSON.stringify(rightsOf({ ...caller({ iss, ...claims }, 'ada'), scopes: new Set(scopes) }))
  const different = [
    rights({}),
    rights({ aud: 'graph' }),
    rights({ client_id: 'app' }),
    rights({ acr: 'app' }),
    rights({ auth_time: 1 }),
    rights({ act: { sub: 'agent' } }),
    rights({ iss: 'https://other.example.com' }),
    rights({}, ['a']),
  ]
  expect(new Set(different).size).toBe(different.length)
  expect(rights({ azp: 'app' })).toBe(rights({ client_id: 'app' }))
  expect(rights({ jti: '2', exp: 1 }, ['b', 'a'])).toBe(rights({}))
})
