/**
 * A few kilobytes that anybody may send cost neither memory nor the time of others: each case ended a gateway, or
 * held up all of its clients, before it was bounded.
 */
import { describe, expect, test } from 'vitest'
import { startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { postJson } from '../support/post-json.ts'

const graph = await graphForFile({ env: { TESSERA_LOG_LEVEL: 'silent' } })

const repeat = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(' ')

describe('errors of one operation are bounded', () => {
  test('for 50 aliases of 500 wrong ids', async () => {
    const query = `query ($ids: [ID!]!) { ${repeat(50, (i) => `a${i}: videos(videoIds: $ids) { etag }`)} }`
    const { errors, text, status } = await graph.ask(query, { ids: Array.from({ length: 500 }, () => '!') })
    expect(status).toBe(200)
    expect(errors).toHaveLength(100)
    expect(errors.at(-1)?.extensions.code).toBe('TOO_MANY_ERRORS')
    expect(text.length).toBeLessThan(200_000)
    const many = await graph.ask(query, { ids: Array.from({ length: 10_000 }, () => '!') })
    expect([many.status, many.errors[0]?.extensions.limit]).toEqual([400, 'listItems'])
    expect(graph.sandbox.journal).toEqual([])
  })

  test('for 90 refused fields of each of 500 nodes', async () => {
    const ids = Array.from({ length: 500 }, (_, i) =>
      Buffer.from(`Video:aaaaaaa${String(i).padStart(4, '0')}`).toString('base64url'),
    )
    const fields = repeat(90, (i) => `a${i}: fileDetails { fileName }`)
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Video { id ${fields} } } }`
    const { errors, text } = await graph.ask(query, { ids }, { scope: null })
    expect(errors.length).toBeLessThanOrEqual(100)
    expect(text.length).toBeLessThan(1_000_000)
  })

  test('for refused fields below connections', async () => {
    const fields = repeat(45, (i) => `a${i}: suggestions { processingHints }`)
    const query = `{ chartVideos(chart: MOST_POPULAR, first: 20) { nodes { videoId ${fields} } } }`
    const { errors } = await graph.ask(query, {}, { scope: null })
    expect(errors).toHaveLength(100)
    expect(errors.at(-1)?.extensions.code).toBe('TOO_MANY_ERRORS')
  })
})

describe('errors are short, however long what they name is', () => {
  test.each([
    ['a name in the document', `{ ${'a'.repeat(500_000)} }`, {}],
    ['a variable', `query ($${'a'.repeat(500_000)}: Int) { mediaQuota { limit } }`, {}],
    [
      'an input object with thousands of unknown fields',
      'mutation ($input: SetAgentInput!) { setAgent(input: $input) { __typename } }',
      { input: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`unknown${i}`, 1])) },
    ],
  ])('%s', async (_, query, variables) => {
    const { status, errors, text } = await graph.ask(query, variables)
    expect(status).toBe(400)
    expect(errors.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThan(40_000)
  })
})

test('items, fields and roots are bounded together', async () => {
  const ids = Array.from({ length: 400 }, (_, i) => `aaaaaaa${String(i).padStart(4, '0')}`)
  const query = `query ($ids: [ID!]!) { ${repeat(50, (i) => `a${i}: videos(videoIds: $ids) { etag id videoId snippet { title description } }`)} }`
  const { status, errors } = await graph.ask(query, { ids })
  expect([status, errors[0]?.extensions]).toMatchObject([
    400,
    { code: 'OPERATION_TOO_LARGE', limit: 'values' },
  ])
  expect(graph.sandbox.journal).toEqual([])
})

describe('introspection', () => {
  test('is asked for once in an operation', async () => {
    const { status, errors } = await graph.ask(
      `{ ${repeat(48, (i) => `a${i}: __schema { types { name } }`)} }`,
    )
    expect([status, errors[0]?.extensions]).toMatchObject([
      400,
      { code: 'OPERATION_TOO_LARGE', limit: '__schema' },
    ])
  })

  test('is bounded in what its answer weighs', async () => {
    const query = `{ __schema { ${repeat(9, (i) => `a${i}: types { ${repeat(9, (j) => `b${j}: fields { ...F }`)} }`)} } }
      fragment F on __Field { name description args { name description type { name } } type { name ofType { name } } }`
    const { status, data, errors } = await graph.ask(query)
    expect([status, data, errors[0]?.extensions.code]).toEqual([400, undefined, 'RESPONSE_TOO_LARGE'])
  })

  test('answers the same as ever', async () => {
    const query =
      '{ __schema { queryType { name } types { name } } __type(name: "Video") { fields { name } } }'
    const [first, second] = [await graph.ask(query), await graph.ask(`${query} `)]
    expect(first.data.__schema.queryType).toEqual({ name: 'Query' })
    expect(first.data.__type.fields.length).toBeGreaterThan(10)
    expect(second.text).toBe(first.text)
  })
})

describe("a client's fault is reported as such", () => {
  const nest = (open: string, close: string, depth: number, inner: string): string =>
    open.repeat(depth) + inner + close.repeat(depth)
  test.each([
    ['inline fragments 100 deep', nest('... on Query { ', ' }', 100, '__typename')],
    ['lists 2,400 deep', `video(videoId: ${nest('[', ']', 2400, '1')}) { etag }`],
    ['input objects 1,600 deep', `video(videoId: ${nest('{ a: ', ' }', 1600, '1')}) { etag }`],
    ['selections 2,400 deep', nest('a { ', ' }', 2400, 'a')],
    ['an alias in the place of the type', '__typename: mediaQuota { limit }'],
  ])('%s', async (_, selection) => {
    const { status, data, errors } = await graph.ask(`{ ${selection} }`)
    expect([status, data]).toEqual([400, undefined])
    expect(errors[0]?.extensions.code).toMatch(/^(OPERATION_TOO_LARGE|GRAPHQL_VALIDATION_FAILED)$/)
  })

  test('variables 10,000 deep', async () => {
    const variables = `{"ids":${nest('[', ']', 10_000, '')}}`
    const response = await postJson(
      graph.url,
      `{"query":"query ($ids: [ID!]!) { videos(videoIds: $ids) { etag } }","variables":${variables}}`,
      { accept: 'application/graphql-response+json' },
    )
    expect(response.status).toBe(400)
  })
})

test('concurrent new operations are prepared one after the other, and refused beyond the line', async () => {
  await using small = await startGraph({ env: { TESSERA_MAX_PREPARING: '10', TESSERA_LOG_LEVEL: 'silent' } })
  const known = '{ mediaQuota { limit } }'
  await small.ask(known)
  const documents = Array.from(
    { length: 60 },
    (_, i) => `query Q${i} { ${repeat(20, (j) => `a${i}x${j}: mediaQuota { limit }`)} }`,
  )
  const answers = await Promise.all([...documents.map((text) => small.ask(text)), small.ask(known)])
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
  expect(answers.at(-1)?.status).toBe(200)
  for (const { status, errors, headers } of answers) {
    if (status !== 503) continue
    expect(errors[0]?.extensions.code).toBe('SERVICE_BUSY')
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  const again = await small.ask(documents[59] ?? '')
  expect(again.status).toBe(200)
})

test('concurrent first requests for one operation take one place in line', async () => {
  await using small = await startGraph({ env: { TESSERA_MAX_PREPARING: '1', TESSERA_LOG_LEVEL: 'silent' } })
  const document = `query Q { ${repeat(20, (j) => `a${j}: mediaQuota { limit }`)} }`
  const answers = await Promise.all(Array.from({ length: 200 }, () => small.ask(document)))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200, errors: [] })
})

test('without introspection the schema is not told, no error suggests names, and the graph works all the same', async () => {
  await using closed = await startGraph({
    env: { TESSERA_INTROSPECTION: 'false', TESSERA_LOG_LEVEL: 'silent' },
  })
  const told = await closed.ask('{ __schema { types { name } } }')
  expect([told.data, told.errors[0]?.extensions.code]).toEqual([undefined, 'GRAPHQL_VALIDATION_FAILED'])
  const usual = await closed.ask('{ chartVideos(chart: MOST_POPULAR) { __typename totalCount } }')
  expect([usual.errors, usual.data.chartVideos.totalCount]).toEqual([[], 120])
  const unknown = await closed.ask('{ vidoe(videoId: "a") { etag } }')
  const value = await closed.ask('query ($c: VideoChart!) { chartVideos(chart: $c) { totalCount } }', {
    c: 'MOST_POPULAT',
  })
  for (const { errors, text } of [unknown, value]) {
    expect(errors.length).toBeGreaterThan(0)
    expect(text).not.toMatch(/did you mean/i)
  }
})
