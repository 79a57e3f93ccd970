/** The operations of the explorer page and of Apollo Sandbox, over real HTTP. */
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Example } from '../../explorer/examples/example.ts'
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import { chartsFrom } from '../../explorer/page/result/charts.ts'
import { readEvents } from '../../explorer/page/stream/read-events.ts'
import { type Graph, type GraphAnswer, startGraph } from '../support/graph.ts'
import { graphForFile } from '../support/graph-for-file.ts'
import { postJson } from '../support/post-json.ts'

const graph = await graphForFile()

const examples = sandboxExamples(Date.now())

/** The result of an example. The result of a subscription is its first event, or the answer that refuses it. */
async function run(graph: Graph, { document, variables = {} }: Example, scope: string | null) {
  if (!/^subscription\b/m.test(document)) return graph.ask(document, variables, { scope })
  const stop = new AbortController()
  const response = await fetch(graph.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/graphql-response+json;q=0.9',
      ...(scope === null ? {} : { authorization: `Bearer ${await graph.token(scope)}` }),
    },
    body: JSON.stringify({ query: document, variables }),
    signal: stop.signal,
  })
  const answerOf = (text: string): Pick<GraphAnswer, 'status' | 'data' | 'errors'> => {
    const { data, errors = [] } = JSON.parse(text)
    return { status: response.status, data, errors }
  }
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return answerOf(await response.text())
  const first = Promise.withResolvers<string>()
  readEvents(response, { onEvent: ({ data }) => first.resolve(data) }).catch(first.reject)
  const answer = answerOf(await first.promise)
  stop.abort()
  return answer
}

interface Scopes {
  readonly required: readonly unknown[]
  readonly refused: readonly { readonly missing: readonly string[] }[]
}

test('every example of the explorer runs without an error with the scopes that it names', async () => {
  for (const example of examples) {
    const { id, scopes = [] } = example
    const scope = scopes.length === 0 ? null : scopes.join(' ')
    const { status, data, errors } = await run(graph, example, scope)
    expect([id, status, errors]).toEqual([id, 200, []])
    for (const value of Object.values(data)) expect([id, value]).not.toEqual([id, null])
  }
})

test('an example that names scopes is refused without them, by the name of each, and costs what it says', async () => {
  for (const example of examples) {
    const { id, scopes } = example
    if (scopes === undefined) continue
    const { errors } = await run(graph, example, null)
    const missing = errors.flatMap(
      ({ extensions }) => (extensions.authorization as { missing: string[] } | undefined)?.missing ?? [],
    )
    expect([id, [...new Set(missing)].sort()]).toEqual([id, [...scopes].sort()])
    expect([...new Set(errors.map(({ extensions }) => extensions.code))]).toEqual([
      'UNAUTHORIZED_FIELD_OR_TYPE',
    ])
  }
})

test('the examples show what they promise: further pages, nested lists, series to draw', async () => {
  const runById = async (id: string) => {
    const { document, variables, scopes = [] } = examples.find((each) => each.id === id)!
    const asked = variables ?? {}
    return { document, asked, ...(await graph.ask(document, asked, { scope: scopes.join(' ') || null })) }
  }
  const chart = await runById('paging-through-a-chart')
  const { endCursor, hasNextPage } = chart.data.chartVideos.pageInfo
  expect(hasNextPage).toBe(true)
  const next = await graph.ask(chart.document, { ...chart.asked, after: endCursor })
  expect(next.data.chartVideos.edges[0].node.videoId).not.toBe(chart.data.chartVideos.edges[0].node.videoId)
  const threads = await runById('threads-authors-videos')
  expect(threads.data.video.commentThreads.nodes.length).toBe(5)
  expect(threads.data.video.commentThreads.nodes[0].topLevelComment.authorChannel.channelId).toBeTruthy()
  const { data, document, asked } = await runById('metrics-over-time')
  const charts = chartsFrom({ data }, { query: document, variables: asked })
  expect(charts.map(({ path }) => path)).toEqual(['metrics.rate', 'metrics.memory'])
  for (const { lines, times } of charts) {
    expect(lines.length).toBeGreaterThan(1)
    expect(times.length).toBeGreaterThan(50)
  }
})

test('an explanation names what the operation asks of its caller, held or not', async () => {
  const query = '{ metrics { buildInfo { version } ruleGroups { name } } message(messageId: "20") { text } }'
  const headers = { 'tessera-explain': '1' }
  const explain = async (scope: string | null) => {
    const { extensions } = await graph.ask(query, {}, { scope, headers })
    const { scopes } = (extensions as { explain: { scopes: Scopes } }).explain
    return {
      required: [...new Set(scopes.required.map((each) => JSON.stringify(each)))].sort(),
      missing: [...new Set(scopes.refused.flatMap(({ missing }) => missing))].sort(),
    }
  }
  const required = ['[["metrics.read"]]', '[["rules.read"]]', '[["tweet.read","users.read"]]']
  for (const [scope, missing] of [
    [null, ['metrics.read', 'rules.read', 'tweet.read', 'users.read']],
    ['metrics.read', ['rules.read', 'tweet.read', 'users.read']],
    ['metrics.read rules.read tweet.read', ['users.read']],
    ['metrics.read rules.read tweet.read users.read', []],
  ] as const)
    expect(await explain(scope)).toEqual({ required, missing })
  const { extensions } = await graph.ask('{ mediaQuota { used } }', {}, { headers })
  expect(extensions?.explain).toMatchObject({ scopes: { required: [], refused: [] } })
})

describe('Apollo Sandbox at its own address', () => {
  const origin = 'https://studio.apollographql.com'

  test('may call the graph with the headers that it sends', async () => {
    const wanted = [
      'content-type',
      'authorization',
      'x-apollo-operation-name',
      'apollo-require-preflight',
      'apollo-query-plan-experimental',
      'apollographql-client-name',
      'apollographql-client-version',
      'tessera-explain',
    ]
    const preflight = await fetch(graph.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': wanted.join(','),
      },
    })
    expect(preflight.status).toBe(204)
    expect(['*', origin]).toContain(preflight.headers.get('access-control-allow-origin'))
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/,\s*/)
    expect(allowed).toEqual(expect.arrayContaining(wanted))

    const { status, headers, data } = await graph.ask(
      '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }',
      {},
      { scope: null, headers: { origin, 'sec-fetch-site': 'cross-site', accept: '*/*' } },
    )
    expect(status).toBe(200)
    expect(['*', origin]).toContain(headers.get('access-control-allow-origin'))
    expect(headers.get('access-control-expose-headers')).toContain('server-timing')
    expect(data.chartVideos.nodes.length).toBe(1)
  })

  test('can read the schema, with what each field needs and costs', async () => {
    const { status, headers, data, errors } = await graph.ask(
      getIntrospectionQuery({
        descriptions: true,
        inputValueDeprecation: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
      }),
      {},
      {
        scope: null,
        headers: { origin, 'sec-fetch-site': 'cross-site' },
        operationName: 'IntrospectionQuery',
      },
    )
    expect([status, errors]).toEqual([200, []])
    expect(['*', origin]).toContain(headers.get('access-control-allow-origin'))
    const { types } = (data as IntrospectionQuery).__schema
    const video = types.find(({ name }) => name === 'Video')
    const fields = video?.kind === 'OBJECT' ? video.fields : []
    expect(fields.find(({ name }) => name === 'fileDetails')?.description).toContain(
      'Requires `media.owner`.',
    )
  })

  test('gets no token made for it', async () => {
    const { status } = await postJson(
      new URL('/explorer/token', graph.url),
      { scope: 'media.owner' },
      { origin },
    )
    expect(status).toBe(403)
  })
})

describe('the address of the graph in a browser', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const visit = (url: string, accept: string) => fetch(url, { headers: { accept }, redirect: 'manual' })

  test('leads to the explorer, below whatever path a proxy puts in front', async () => {
    for (const [path, location] of [
      ['', './'],
      ['/', '../'],
      ['?operationName=One', './'],
    ] as const) {
      const { status, headers } = await visit(`${graph.url}${path}`, browser)
      expect([path, status, headers.get('location')]).toEqual([path, 302, location])
      expect(headers.get('vary')).toBe('accept')
    }
    const page = await fetch(graph.url, { headers: { accept: 'text/html' } })
    expect([page.status, new URL(page.url).pathname]).toEqual([200, '/'])
  })

  test('still answers an operation in its URL, and clients that ask for no HTML', async () => {
    const query = `${graph.url}?query=${encodeURIComponent('{ mediaQuota { used } }')}`
    const { status, headers } = await visit(query, browser)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect((await visit(graph.url, '*/*')).status).toBe(400)
  })

  test('says in words what it takes if there is no page to lead to', async () => {
    await using graph = await startGraph({ env: { TESSERA_EXPLORER: 'off' } })
    const response = await visit(graph.url, 'text/html')
    expect([response.status, response.headers.get('location')]).toEqual([406, null])
    const { errors } = (await response.json()) as { errors: { message: string }[] }
    expect(errors[0]?.message).toContain('application/graphql-response+json')
  })
})
