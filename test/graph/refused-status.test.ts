/** Operations of which authorization leaves nothing, when the operator asks for status 200. */
import { expect, test } from 'vitest'
import { answerFrom, type Graph, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'

const refused = '{ metrics { query(query: "up") { resultType } } }'

const graph = keepForFile(await startGraph({ env: { TESSERA_REFUSED_STATUS: '200' } }))

async function send(
  { url }: Pick<Graph, 'url'>,
  query: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await postJson(url, { query }, headers)
  return { challenge: response.headers.get('www-authenticate'), ...(await answerFrom(response)) }
}

const types = ['application/json', 'application/graphql-response+json']

test.each(types)('an operation that is wholly refused is 200 with null data, as %s', async (accept) => {
  const { status, data, errors, challenge } = await send(graph, refused, { accept })
  expect([status, data]).toEqual([200, null])
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHORIZED_FIELD_OR_TYPE'])
  expect(challenge).toContain('scope="metrics.read"')
})

test('a caller who lacks a scope gets the same', async () => {
  const authorization = `Bearer ${await graph.token('rules.read')}`
  const { status, data, errors } = await send(graph, refused, { authorization })
  expect([status, data]).toEqual([200, null])
  expect(errors[0]?.extensions.authorization).toMatchObject({ missing: ['metrics.read'] })
})

test('a token that is refused stays 401', async () => {
  const { status, errors } = await send(graph, refused, { authorization: 'Bearer of-another-world' })
  expect([status, errors[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED'])
})

test('a gateway that rejects whole operations answers 200 as well', async () => {
  await using strict = await startGraph({
    env: { TESSERA_REFUSED_STATUS: '200', TESSERA_AUTHORIZATION: 'reject' },
  })
  const query =
    '{ chartVideos(chart: MOST_POPULAR, first: 1) { totalCount } metrics { query(query: "up") { resultType } } }'
  const { status, data } = await send(strict, query)
  expect([status, data]).toEqual([200, null])
})
