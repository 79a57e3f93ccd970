/** Addresses that are made from any text of a caller or a service. */
import { expect, test } from 'vitest'
import type { ServiceOperation } from '../../../shared/service-calls.ts'
import { fillPath, queryOf } from '../../../subgraphs/kit/operation.ts'

const operation = { path: '/things/{name}' } as ServiceOperation

test('texts are escaped, and absent ones left out', () => {
  expect(queryOf({ q: 'a b&c=d#é', n: 5, none: undefined })).toBe('&q=a%20b%26c%3Dd%23%C3%A9&n=5')
  expect(fillPath(operation, { name: 'a b/c?d' })).toBe('/things/a%20b/c%3Fd')
})

test('lone surrogates, which an address cannot have, become U+FFFD', () => {
  expect(queryOf({ q: 'a\ud800b' })).toBe('&q=a%EF%BF%BDb')
  expect(fillPath(operation, { name: '\udfff/x' })).toBe('/things/%EF%BF%BD/x')
})
