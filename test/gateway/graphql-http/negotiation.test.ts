import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import {
  acceptable,
  isJsonContent,
  paramsFrom,
  paramsFromUrl,
  readBody,
} from '../../../gateway/graphql-http/negotiation.ts'
import { statusOf } from '../../../gateway/pipeline/result-status.ts'
import { tesseraError } from '../../../shared/errors.ts'

const modern = 'application/graphql-response+json'
const legacy = 'application/json'

describe('the media type', () => {
  test.each([
    [undefined, legacy],
    ['*/*', legacy],
    ['application/*', legacy],
    ['application/json', legacy],
    [modern, modern],
    [`${modern}, application/json`, modern],
    [`application/json;q=0.5, ${modern};q=0.9`, modern],
    [`${modern};q=0.1, application/json`, legacy],
    [`${modern}; charset=utf-8`, modern],
    ['text/html, */*;q=0.1', legacy],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['application/json; charset=latin1', undefined],
    [`*/*, ${modern}`, modern],
  ])('for `Accept: %s` is %s', (accept, expected) => {
    expect(acceptable(accept)).toBe(expected)
  })
})

describe('parameters', () => {
  test.each([
    ['{a}', /JSON object/],
    [[{ query: '{a}' }], /Batches are not accepted/],
    [{}, /no `query`/],
    [{ query: 1 }, /`query` must be a string/],
    [{ query: '{a}', variables: [] }, /`variables` must be an object/],
    [{ query: '{a}', operationName: 1 }, /`operationName` must be a string/],
    [{ query: '{a}', extensions: 'x' }, /`extensions` must be an object/],
  ])('%j is refused with what was expected', (body, message) => {
    expect(() => paramsFrom(body)).toThrow(message)
  })

  test('may leave the query out if a hash stands for it', () => {
    const persistedQuery = { version: 1, sha256Hash: 'aa' }
    expect(paramsFrom({ extensions: { persistedQuery } }).query).toBeUndefined()
  })

  test('are read from a URL', () => {
    const search = new URLSearchParams({ query: '{a}', variables: '{"x":1}', operationName: 'A' })
    expect(paramsFromUrl(`/graphql?${search}`)).toMatchObject({
      query: '{a}',
      variables: { x: 1 },
      operationName: 'A',
    })
    expect(() => paramsFromUrl('/graphql?query={a}&variables=[')).toThrow(/`variables` must be JSON/)
  })

  test('an empty or broken body says so', () => {
    expect(() => readBody('')).toThrow(/no body/)
    expect(() => readBody('{')).toThrow(/must be JSON/)
  })
})

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['Application/JSON;charset="UTF-8"', true],
  ['application/json; charset=latin1', false],
  ['text/plain', false],
  [undefined, false],
])('content type %s is JSON: %s', (type, expected) => {
  expect(isJsonContent(type)).toBe(expected)
})

describe('the status', () => {
  const parse = tesseraError('GRAPHQL_PARSE_FAILED', 'x')
  test('is 200 with any data', () => {
    expect(statusOf({ data: { a: null }, errors: [tesseraError('UPSTREAM_TIMEOUT', 'x')] }, modern)).toBe(200)
  })
  test('is that of the code without data, a fault of the client before one of a server', () => {
    const errors = [tesseraError('UPSTREAM_TIMEOUT', 'x'), tesseraError('UNAUTHORIZED_FIELD_OR_TYPE', 'x')]
    expect(statusOf({ data: null, errors }, modern)).toBe(403)
    expect(statusOf({ data: null, errors: errors.slice(0, 1) }, modern)).toBe(504)
    expect(statusOf({ data: null, errors: [new GraphQLError('x')] }, modern)).toBe(500)
  })
  test('of a document that does not parse depends on what the client accepts', () => {
    expect(statusOf({ errors: [parse] }, modern)).toBe(400)
    expect(statusOf({ errors: [parse] }, legacy)).toBe(200)
    expect(statusOf({ errors: [tesseraError('UNAUTHENTICATED', 'x')] }, legacy)).toBe(401)
  })
})
