/**
 * GraphQL over HTTP, edition of September 2026, rule by rule: https://graphql.github.io/graphql-over-http/. Each row
 * names the section that the rule stands in.
 */
import fc from 'fast-check'
import { GraphQLError } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MediaType } from '../../../gateway/pipeline/operation-request.ts'
import { mediaTypeOf, statusOf } from '../../../gateway/pipeline/result-status.ts'
import { type ErrorCode, errorCodes, tesseraError } from '../../../shared/errors.ts'
import { type Graph, startGraph } from '../../support/graph.ts'
import { saidTo } from '../../support/raw-client.ts'
import { temporaryFile } from '../../support/temporary.ts'

const modern = 'application/graphql-response+json'
const legacy = 'application/json'

let graph: Graph
beforeAll(async () => {
  const file = temporaryFile('config.yaml', 'http:\n  profile: 2026\n')
  graph = await startGraph({
    env: {
      TESSERA_CONFIG: file,
      TESSERA_MAX_BODY_BYTES: '20000',
      TESSERA_BODY_TIMEOUT_MS: '1000',
      TESSERA_MAX_BATCH: '5',
    },
  })
})
afterAll(async () => graph[Symbol.asyncDispose]())

interface Sent {
  readonly method?: string
  readonly accept?: string
  readonly type?: string | undefined
  readonly search?: Readonly<Record<string, string>>
  readonly token?: string
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown
}

async function send({ method = 'POST', accept = modern, type = legacy, search, token, body }: Sent) {
  const response = await fetch(
    `${graph.url}${search === undefined ? '' : `?${new URLSearchParams(search)}`}`,
    {
      method,
      headers: {
        accept,
        ...(method === 'POST' ? { 'content-type': type } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    },
  )
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    allow: response.headers.get('allow'),
    challenge: response.headers.get('www-authenticate'),
    result: text === '' ? {} : JSON.parse(text),
  }
}

const chart = '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }'
const refused = '{ metrics { query(query: "up") { resultType } } }'
const partial = `{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } ${refused.slice(1)}`
const typed = 'query Q($first: Int!) { chartVideos(chart: MOST_POPULAR, first: $first) { totalCount } }'

describe('section 6.4, Status Codes', () => {
  test.each<[rule: string, Sent, number]>([
    ['data without errors is 200', { body: { query: chart } }, 200],
    ['data and errors are 294', { body: { query: partial } }, 294],
    ['JSON that cannot be parsed is 400', { body: '{"query":' }, 400],
    ['a body that is no JSON is 400', { body: 'NONSENSE' }, 400],
    ['no body is 400', { body: '' }, 400],
    ['a misspelt parameter is 422', { body: { qeury: chart } }, 422],
    ['variables that are no object are 422', { body: { query: typed, variables: [7] } }, 422],
    ['a query that is no text is 422', { body: { query: 7 } }, 422],
    ['a body that is no object is 422', { body: '7' }, 422],
    ['a document that cannot be parsed is 400', { body: { query: '{' } }, 400],
    ['a document that is not valid is 422', { body: { query: '{ nothing }' } }, 422],
    [
      'an operation that is not named among several is 422',
      { body: { query: 'query A { __typename } query B { __typename }' } },
      422,
    ],
    ['an operation that is not there is 422', { body: { query: chart, operationName: 'B' } }, 422],
    ['a variable that cannot be coerced is 422', { body: { query: typed, variables: { first: 'x' } } }, 422],
    ['a variable that is missing is 422', { body: { query: typed } }, 422],
    [
      'a limit of our own is a rule of validation: 422',
      { body: { query: `{ ${Array.from({ length: 500 }, (_, n) => `a${n}: __typename`)} }` } },
      422,
    ],
    ['a content type that is not supported is 415', { type: 'text/plain', body: { query: chart } }, 415],
    ['a method that is not supported is 405', { method: 'PATCH' }, 405],
    ['no acceptable media type is 406', { accept: 'text/html', body: { query: chart } }, 406],
    ['a body that is too large is 413', { body: { query: chart, more: 'x'.repeat(30_000) } }, 413],
    ['a refused token is 401', { token: 'of-another-world', body: { query: refused } }, 401],
    ['a caller without a token is 401', { body: { query: refused } }, 401],
  ])('%s', async (_, sent, status) => {
    const answer = await send(sent)
    expect(answer.status).toBe(status)
    const { data, errors } = answer.result
    if (status === 200 || status === 294) expect(data).not.toBeNull()
    else expect(answer.result).not.toHaveProperty('data')
    expect(errors === undefined).toBe(status === 200 || status === 405)
    if (![405, 406, 413].includes(status)) expect(answer.type).toBe(modern)
    if (status === 401) expect(answer.challenge).toContain('Bearer')
  })

  test('a caller who lacks a scope is 403 without data, and learns the scope', async () => {
    const answer = await send({ token: await graph.token('rules.read'), body: { query: refused } })
    expect(answer.status).toBe(403)
    expect(answer.result).not.toHaveProperty('data')
    expect(answer.challenge).toContain('scope="metrics.read"')
  })

  test('a URI that is too long is 414', async () => {
    const answer = await send({ method: 'GET', search: { query: chart, more: 'x'.repeat(33_000) } })
    expect([answer.status, answer.result.errors[0].extensions.code]).toEqual([414, 'REQUEST_TOO_LARGE'])
  })

  test.each([
    ['headers that are too long are 431', `x-long: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
    ['a request that does not come in time is 408', 'content-length: 100\r\n\r\n{', 408],
  ])('%s', async (_, rest, status) => {
    const head = 'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'
    const text = await saidTo(graph.url, head + rest)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(text.split('\r\n\r\n')[1] as string)).not.toHaveProperty('data')
  })

  test('a server that is busy is 503', () => {
    expect(statusOf({ errors: [tesseraError('SERVICE_BUSY', 'x')] }, modern, '2026')).toBe(503)
  })

  test('whatever the errors are, no data is 4xx or 5xx, and data is 200 or 294', () => {
    const error = fc.oneof(
      fc.constantFrom(...(Object.keys(errorCodes) as ErrorCode[])).map((code) => tesseraError(code, 'x')),
      fc.constant(new GraphQLError('x')),
    )
    const types = fc.constantFrom<MediaType>(modern, legacy)
    fc.assert(
      fc.property(
        fc.array(error, { minLength: 1 }),
        types,
        fc.constantFrom(null, {}),
        (errors, type, data) => {
          const refusal = statusOf({ errors }, type, '2026')
          expect(refusal).toBeGreaterThanOrEqual(400)
          expect(refusal).toBeLessThan(600)
          expect(mediaTypeOf(refusal, type, '2026')).toBe(modern)
          const status = statusOf({ data, errors }, type, '2026')
          expect(status).toBe(type === modern ? 294 : 200)
          expect(mediaTypeOf(status, type, '2026')).toBe(type)
        },
      ),
    )
  })
})

describe('section 5.3, GET', () => {
  test('a mutation is 405, and Allow names POST', async () => {
    const answer = await send({
      method: 'GET',
      search: { query: 'mutation { likeMessage(input: { userId: "1", messageId: "1" }) { __typename } }' },
    })
    expect([answer.status, answer.allow]).toEqual([405, 'POST'])
    expect(answer.result).not.toHaveProperty('data')
  })

  test('an empty optional parameter is none', async () => {
    const search = { query: chart, operationName: '', variables: '', extensions: '' }
    expect((await send({ method: 'GET', search })).status).toBe(200)
  })

  test('a parameter that is no JSON is 422', async () => {
    expect((await send({ method: 'GET', search: { query: chart, variables: '{' } })).status).toBe(422)
  })

  test('Allow of a method that is not supported names those that are', async () => {
    expect((await send({ method: 'PATCH' })).allow).toBe('GET, POST, PUT, DELETE')
  })
})

describe('section 6.1, Body', () => {
  test.each<[string, string, object, number, string]>([
    ['success', legacy, { query: chart }, 200, legacy],
    ['part of it', legacy, { query: partial }, 200, legacy],
    ['a document that is not valid', legacy, { query: '{ nothing }' }, 422, modern],
    ['a document that cannot be parsed', legacy, { query: '{' }, 400, modern],
    ['what is refused', legacy, { query: refused }, 401, modern],
    ['success', '*/*', { query: chart }, 200, legacy],
    ['success', `${modern}, ${legacy};q=0.9`, { query: chart }, 200, modern],
    ['part of it', `${modern}, ${legacy};q=0.9`, { query: partial }, 294, modern],
  ])('%s, for a client that accepts %s', async (_, accept, body, status, type) => {
    const answer = await send({ accept, body })
    expect([answer.status, answer.type]).toEqual([status, type])
  })
})

test('section 5.4.1, JSON Encoding: null is as if it were missing, and unknown members are ignored', async () => {
  const body = { query: chart, variables: null, operationName: null, extensions: null, unknown: 1 }
  expect((await send({ body })).status).toBe(200)
})

test('operations whose parts come later, and batches, have no status for partial success', async () => {
  const incremental = await fetch(graph.url, {
    method: 'POST',
    headers: { 'content-type': legacy, accept: `multipart/mixed, ${modern}` },
    body: JSON.stringify({
      query: `{ ... @defer { chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } } __typename ${refused.slice(1)}`,
    }),
  })
  expect([incremental.status, incremental.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('multipart/mixed'),
  ])
  await incremental.text()
  const batch = await send({ body: [{ query: partial }, { query: '{' }] })
  expect(batch.status).toBe(200)
})

test('hooks see the status that is sent', () => {
  expect(statusOf({ data: null, errors: [tesseraError('UPSTREAM_TIMEOUT', 'x')] }, modern)).toBe(504)
  expect(statusOf({ data: null, errors: [tesseraError('UPSTREAM_TIMEOUT', 'x')] }, modern, '2026')).toBe(294)
})
