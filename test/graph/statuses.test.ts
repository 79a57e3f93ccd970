/** The HTTP status of a response, for both media types, as the README says. */
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../shared/errors.ts'
import { answerFrom, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'

const graph = keepForFile(await startGraph({ env: { TESSERA_MAX_DEPTH: '5' } }))

const types = ['application/json', 'application/graphql-response+json'] as const

async function send(accept: string, body: object, headers: Record<string, string> = {}) {
  return answerFrom(await postJson(graph.url, body, { accept, ...headers }))
}

const deep = '{ video(videoId: "a") { channel { commentThreads { nodes { video { videoId } } } } } }'
const cases: readonly [string, object, keyof typeof errorCodes, number | undefined][] = [
  ['that is no GraphQL', { query: '{' }, 'GRAPHQL_PARSE_FAILED', 200],
  ['that does not fit the schema', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED', 200],
  [
    'with a variable of another type',
    {
      query: 'query ($n: Int!) { chartVideos(chart: MOST_POPULAR, first: $n) { totalCount } }',
      variables: { n: 'a' },
    },
    'BAD_USER_INPUT',
    200,
  ],
  ['beyond a limit', { query: deep }, 'OPERATION_TOO_LARGE', undefined],
  ['without a query', {}, 'BAD_REQUEST', undefined],
]

describe.each(cases)('a request %s', (_what, body, code, legacy) => {
  test.each(types)('as %s', async (type) => {
    const { status, errors } = await send(type, body)
    const expected =
      type === 'application/json' ? (legacy ?? errorCodes[code].status) : errorCodes[code].status
    expect([status, errors[0]?.extensions.code]).toEqual([expected, code])
  })
})

test.each(types)('with any data it is 200, as %s', async (type) => {
  const { status, data, errors } = await send(type, {
    query: '{ __typename message(messageId: "20") { text } }',
  })
  expect([status, data.message, errors.length > 0]).toEqual([200, null, true])
})

describe('an Authorization header that is not a valid token', () => {
  const foreign = ['Basic dTpw', 'Bearer of-another-world', 'Bearer a.b.c']

  test.each(foreign)(
    '%s leaves public fields open in development, and refuses a whole operation with a guarded one, without a call',
    async (header) => {
      const headers = { authorization: header }
      const open = await send(
        types[1],
        { query: '{ chartVideos(chart: MOST_POPULAR) { totalCount } }' },
        headers,
      )
      expect([open.status, open.data, open.errors]).toEqual([200, { chartVideos: { totalCount: 120 } }, []])
      graph.sandbox.reset()
      const query = '{ chartVideos(chart: MOST_POPULAR) { totalCount } message(messageId: "20") { text } }'
      const shut = await send(types[1], { query }, headers)
      expect([shut.status, shut.data, shut.errors[0]?.extensions.code]).toEqual([
        401,
        undefined,
        'UNAUTHENTICATED',
      ])
      expect(graph.sandbox.journal).toEqual([])
      expect(shut.text + graph.log.join('')).not.toContain(header.split(' ')[1])
    },
  )

  test('is refused with the reason if a key is configured', async () => {
    await using real = await startGraph({
      env: { TESSERA_JWT_SECRET: 'what the issuer and this server share' },
    })
    const { status, errors } = await real.ask(
      '{ __typename }',
      {},
      { headers: { authorization: 'Bearer a.b.c' } },
    )
    expect([status, errors[0]?.extensions]).toMatchObject([
      401,
      { authentication: { reason: expect.any(String) } },
    ])
  })
})
