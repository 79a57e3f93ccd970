/** Operations that exceed a limit are refused with a clear code, before any call. */
import { describe, expect, test } from 'vitest'
import { answerFrom, startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { postJson } from '../support/post-json.ts'

const graph = await graphForFile({
  env: { TESSERA_MAX_BATCH: '2', TESSERA_MAX_BODY_BYTES: '20000', TESSERA_MAX_LIST_ITEMS: '100' },
})

const spreads = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Query { ...F${i + 1} a${i}: __typename ...F${i + 1} }`,
  ).join(' ')

describe('an operation is refused before any call', () => {
  const tooDeep = `{ video(videoId: "a") { ${'commentThreads { nodes { video { '.repeat(8)}id${' } } }'.repeat(8)} } }`
  const aliases = Array.from({ length: 101 }, (_, i) => `a${i}: __typename`).join(' ')
  const spreading = `{ ...F0 } ${spreads(40)} fragment F40 on Query { __typename }`
  const circle = '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'
  const list = `{ videos(videoIds: [${'"a" '.repeat(101)}]) { etag } }`

  test.each([
    ['too many tokens', `{ ${'a '.repeat(5001)} }`, 'OPERATION_TOO_LARGE', /tokens/],
    ['too many levels', tooDeep, 'OPERATION_TOO_LARGE', /levels/],
    ['too many aliases', `{ ${aliases} }`, 'OPERATION_TOO_LARGE', /aliases/],
    ['too many root fields', `{ ${'__typename '.repeat(51)} }`, 'OPERATION_TOO_LARGE', /root fields/],
    [
      'too many directives',
      `{ __typename ${'@include(if: true) '.repeat(101)} }`,
      'OPERATION_TOO_LARGE',
      /directives/,
    ],
    ['fragments that expand without end', spreading, 'OPERATION_TOO_LARGE', /fields|aliases/],
    ['fragments that spread themselves', circle, 'GRAPHQL_VALIDATION_FAILED', /spread/],
    ['a list that is too long', list, 'OPERATION_TOO_LARGE', /list/],
    ['no GraphQL', '{ video(', 'GRAPHQL_PARSE_FAILED', /Syntax Error/],
    ['letters that no name has', '{ vidéo }', 'GRAPHQL_PARSE_FAILED', /U\+00E9/],
    ['other fields', '{ video(videoId: "a") { secrets } }', 'GRAPHQL_VALIDATION_FAILED', /secrets/],
  ])('for %s', async (_what, query, code, message) => {
    const { status, data, errors } = await graph.ask(query)
    expect([status, data, errors[0]?.extensions.code]).toEqual([400, undefined, code])
    expect(errors.map((error) => error.message).join()).toMatch(message)
    expect(graph.sandbox.journal).toEqual([])
  })

  test('for a list that is too long among the variables', async () => {
    const ids = Array.from({ length: 101 }, () => 'a')
    const { errors } = await graph.ask('query ($ids: [ID!]!) { videos(videoIds: $ids) { etag } }', { ids })
    expect(errors[0]?.extensions).toMatchObject({
      code: 'OPERATION_TOO_LARGE',
      limit: 'listItems',
      maximum: 100,
      found: 101,
    })
    expect(graph.sandbox.journal).toEqual([])
  })

  test('for variables of the wrong type, with what was expected', async () => {
    const { errors } = await graph.ask(
      'query ($n: Int!) { chartVideos(chart: MOST_POPULAR, first: $n) { totalCount } }',
      { n: 'many' },
    )
    expect(errors[0]).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT' },
      message: expect.stringMatching(/Int cannot represent/),
    })
    expect(graph.sandbox.journal).toEqual([])
  })
})

const post = async (body: string, headers: Record<string, string> = {}) =>
  answerFrom(await postJson(graph.url, body, headers))

describe('an HTTP request', () => {
  test('with several operations is answered in order, up to the bound', async () => {
    const one = { query: '{ __typename }' }
    const two = await post(JSON.stringify([one, { query: '{ nope }' }]))
    expect(JSON.parse(two.text)).toEqual([{ data: { __typename: 'Query' } }, { errors: [expect.anything()] }])
    expect((await post(JSON.stringify([one, one, one]))).errors[0]?.extensions.code).toBe(
      'OPERATION_TOO_LARGE',
    )
  })

  test('of a page of another site that did not ask for permission is refused', async () => {
    const response = await fetch(`${graph.url}?query=%7B__typename%7D`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(response.status).toBe(403)
    const asked = await fetch(`${graph.url}?query=%7B__typename%7D`, {
      headers: { 'sec-fetch-site': 'cross-site', 'apollo-require-preflight': 'true' },
    })
    expect(asked.status).toBe(200)
  })

  test('is answered with headers that keep browsers from guessing and caching', async () => {
    const { headers } = await post('{"query":"{ __typename }"}', { origin: 'https://app.example' })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-request-id')).toMatch(/./)
  })
})

test('origins that are not named get no leave', async () => {
  await using named = await startGraph({ env: { TESSERA_CORS_ORIGINS: 'https://app.example' } })
  const from = async (origin: string) =>
    (
      await fetch(named.url, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    ).headers.get('access-control-allow-origin')
  expect(await from('https://app.example')).toBe('https://app.example')
  expect(await from('https://evil.example')).not.toBe('https://evil.example')
})
