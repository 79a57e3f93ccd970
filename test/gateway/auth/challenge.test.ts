/** What a refused caller is told to ask its authorization server for. */
import { expect, test } from 'vitest'
import { challengeOfMissing } from '../../../gateway/auth/challenge.ts'

test.each([
  [
    [
      { acrValues: ['a', 'b'], maxAge: 300 },
      { acrValues: ['b', 'c'], maxAge: 60 },
    ],
    { acr_values: 'b', max_age: 60 },
  ],
  [
    [
      { acrValues: ['a'], maxAge: undefined },
      { acrValues: ['b'], maxAge: 60 },
    ],
    { acr_values: 'a', max_age: 60 },
  ],
  [
    [
      { acrValues: [], maxAge: 300 },
      { acrValues: ['b'], maxAge: undefined },
    ],
    { acr_values: 'b', max_age: 300 },
  ],
  [
    [
      { acrValues: ['a'], maxAge: undefined },
      { acrValues: [], maxAge: undefined },
    ],
    { acr_values: 'a' },
  ],
])('several sign-ins are asked for as one: %j', (signIns, asked) => {
  expect(challengeOfMissing({ signedIn: true, scopes: [], signIns })).toEqual({
    error: 'insufficient_user_authentication',
    ...asked,
  })
})

test('without a sign-in that helps, only scopes are asked for', () => {
  expect(challengeOfMissing({ signedIn: true, scopes: ['a', 'b"c'], signIns: [] })).toEqual({
    error: 'insufficient_scope',
    scope: 'a',
  })
  expect(challengeOfMissing({ signedIn: true, scopes: [], signIns: [] })).toBeUndefined()
  expect(challengeOfMissing({ signedIn: false, scopes: [], signIns: [] })).toEqual({})
})
