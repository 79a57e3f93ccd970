/** Subgraphs as services of their own: the same answers, proof of who asks, and refusals without it. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleMessages } from '../../sandbox/messages/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { toGlobalId } from '../../shared/graphql/global-id.ts'
import { createSigner, type SignedRequest } from '../../shared/http/signature.ts'
import type { SubgraphName } from '../../subgraphs/index.ts'
import { hang, json, startFaultyServer } from '../support/faulty-server.ts'
import { answerFrom, startGraph } from '../support/graph.ts'
import { keep } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'
import { serviceSecret, startServices } from '../support/services.ts'
import { signToken } from '../support/token.ts'
import { until } from '../support/wait.ts'

const firstQuery = readFileSync(new URL('../../examples/first-query.graphql', import.meta.url), 'utf8')
const mixed = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { id __typename ... on Video { snippet { title } channel { title } } ... on Message { lang author { username } } ... on Agent { displayName } }
  video(videoId: "${sampleVideos.own[0]}") { fileDetails { fileSize } commentThreads(first: 3) { nodes { video { videoId } replies { textOriginal } } } }
  metrics { query(query: "1 + 1", time: "100") { scalar { value } raw } nope: query(query: "1 +") { resultType } }
}`
/** Root fields alone: nothing that one subgraph answers is needed by another. */
const sideBySide = `query ($more: Boolean!) {
  video(videoId: "${sampleVideos.own[0]}") { __typename id videoId etag
    snippet { title description publishedAt tags @include(if: $more) } statistics { viewCount }
    threads: commentThreads(first: 2) { edges { cursor node { id topLevelComment { textDisplay likeCount } } } pageInfo { hasNextPage endCursor } } }
  message(messageId: "${sampleMessages.ordinary}") { messageId text author { username } entities { urls { start end } } }
  agent(project: "demo") { displayName timeZone }
  metrics { queryRange(query: "up", start: "100", end: "160", step: "30s") { resultType raw series { metric labels { name value } samples { time value } } } }
}`
const variables = {
  ids: [
    toGlobalId('Video', sampleVideos.live),
    toGlobalId('Message', sampleMessages.ordinary),
    toGlobalId('Agent', 'demo'),
    toGlobalId('Video', 'missing'),
    'broken',
  ],
}
const plain = (answer: {
  data: unknown
  errors: readonly { path?: unknown; extensions: { code: string } }[]
}) => ({
  data: answer.data,
  errors: answer.errors.map(({ path, extensions }) => JSON.stringify([path, extensions.code])).sort(),
})

describe.each([
  ['every subgraph behind frames', undefined, 'frames'],
  ['some of them behind HTTP', ['videos', 'nodes'] as const, 'http'],
] as const)('with %s', (_what, names, protocol) => {
  test('the graph gives what it gives in one process', async () => {
    await using together = await startGraph()
    await using sandbox = await startSandbox()
    await using services = await startServices(sandbox.url, {}, names === undefined ? undefined : names)
    await using split = await startGraph({
      env: { ...services.env, TESSERA_SUBGRAPH_FRAMES: String(protocol === 'frames') },
      urls: { videos: sandbox.url, agents: sandbox.url, messages: sandbox.url, metrics: sandbox.url },
    })
    const first = async (graph: typeof split) => (await graph.ask(firstQuery)).data.chartVideos
    expect(await first(split)).toEqual(await first(together))
    const expected = plain(await together.ask(mixed, variables))
    /** Requests to subgraphs so far, in the protocol that is expected and in any other. */
    const sent = async () => {
      const metrics = await (await fetch(new URL('/metrics', split.url))).text()
      const counts = { expected: 0, other: 0 }
      for (const [, by, count] of metrics.matchAll(
        /tessera_subgraph_requests_total\{.*protocol="(\w+)"\} (\d+)/g,
      ))
        counts[by === protocol ? 'expected' : 'other'] += Number(count)
      return counts
    }
    let before = await sent()
    // If a connection in frames is not open within half a second, as on a busy machine, HTTP is used until it is.
    await until(async () => {
      const since = before
      expect(plain(await split.ask(mixed, variables))).toEqual(expected)
      before = await sent()
      return before.other === since.other
    }, 'requests in one protocol alone')
    // What comes again is executed otherwise than what is new.
    for (let times = 0; times < 6; times++) expect(plain(await split.ask(mixed, variables))).toEqual(expected)
    const whole = [true, false].map(async (more) => plain(await together.ask(sideBySide, { more })))
    const [long, short] = await Promise.all(whole)
    expect(long).toMatchObject({ errors: [] })
    expect(long).not.toEqual(short)
    for (let times = 0; times < 20; times++) {
      expect(plain(await split.ask(sideBySide, { more: true }))).toEqual(long)
      expect(plain(await split.ask(sideBySide, { more: false }))).toEqual(short)
    }
    const after = await sent()
    expect(after.expected).toBeGreaterThan(before.expected)
    // HTTP, where frames are switched off, is used from the first request.
    expect(after.other).toBe(protocol === 'http' ? 0 : before.other)
  })
})

describe('a subgraph service', () => {
  const proof = { 'router-authorization': `Bearer ${serviceSecret}` }
  const ask = (url: string, body: string | object, headers: Record<string, string> = {}) =>
    postJson(url, body, headers)

  /** A service over a sandbox of its own; `asked` proves itself. */
  async function start(name: SubgraphName = 'messages', env: Readonly<Record<string, string>> = {}) {
    const sandbox = keep(await startSandbox())
    const url = keep(await startServices(sandbox.url, env, [name])).urls[name]
    const asked = (body: string | object, headers: Record<string, string> = {}) =>
      ask(url, body, { ...proof, ...headers })
    return { sandbox, url, asked }
  }

  const entities = JSON.stringify({
    query: 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Message { text } } }',
    variables: { r: [{ __typename: 'Message', messageId: sampleMessages.ordinary }] },
  })

  test('answers only callers that prove themselves, each proof once, and everybody about its health', async () => {
    const { sandbox, url } = await start()
    const signed = (secret: string, parts: Partial<SignedRequest> = {}) =>
      createSigner(secret)({
        method: 'POST',
        path: '/graphql',
        audience: 'messages',
        body: entities,
        header: () => undefined,
        ...parts,
      })
    const good = signed(serviceSecret)
    expect((await ask(url, entities)).status).toBe(401)
    const refused: Record<string, string>[] = [
      { 'tessera-signature': signed('another secret altogether') },
      { 'tessera-signature': signed(serviceSecret, { audience: 'videos' }) },
      { 'tessera-signature': signed(serviceSecret, { path: '/' }) },
      { 'tessera-signature': good, authorization: 'Bearer of somebody else' },
      { 'tessera-signature': good, 'x-messages-authorization': 'Bearer of somebody else' },
    ]
    for (const headers of refused) expect((await ask(url, entities, headers)).status).toBe(401)
    expect((await ask(url, `${entities} `, { 'tessera-signature': good })).status).toBe(401)
    expect((await ask(url, entities, { 'tessera-signature': good })).status).toBe(200)
    expect((await ask(url, entities, { 'tessera-signature': good })).status).toBe(401)
    expect((await ask(url, entities, { 'router-authorization': 'Bearer wrong' })).status).toBe(401)
    expect((await ask(url, entities, proof)).status).toBe(200)
    expect(sandbox.calls('messages.lookup').length).toBe(2)
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(new URL(path, url))).status).toBe(200)
    }
  })

  test('answers a repeat as it answered the first time, whatever came between', async () => {
    const service = await start()
    const body = (r: unknown) => JSON.stringify({ ...(JSON.parse(entities) as object), variables: { r } })
    const messages = [
      { __typename: 'Message', messageId: sampleMessages.ordinary },
      { __typename: 'Message', messageId: '404' },
    ]
    const asked = async (text: string) => {
      const answer = await service.asked(text)
      return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
    }
    const first = await asked(body(messages))
    expect(first).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' })
    expect(JSON.parse(first.body)).toMatchObject({
      data: { _entities: [{ text: expect.any(String) }, null] },
    })
    for (let times = 0; times < 6; times++) {
      expect(await asked(body(messages))).toEqual(first)
      const wrong = JSON.parse((await asked(body(null))).body) as { errors: object[] }
      expect(wrong.errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
      const unknown = await asked('{"query":"{ nobody }"}')
      expect(JSON.parse(unknown.body)).toMatchObject({
        errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
      })
    }
  })

  test('takes representations with numbers that no double holds', async () => {
    const { asked } = await start()
    const body = entities.replace('"messageId"', '"size":9007199254740993,"messageId"')
    expect(await (await asked(body)).json()).toEqual({ data: { _entities: [{ text: expect.any(String) }] } })
  })

  test("traces itself in Apollo's way if a router requests it", async () => {
    const service = await start()
    const asked = async (headers = {}) => (await service.asked(entities, headers)).json()
    const good = { data: { _entities: [{ text: expect.any(String) }] } }
    expect(await asked()).toEqual(good)
    expect(await asked({ 'apollo-federation-include-trace': 'ftv1' })).toEqual({
      ...good,
      extensions: { ftv1: expect.any(String) },
    })
  })

  test('a document is known by its hash once it came with it, and only then', async () => {
    const text = 'query One($id: ID!) { video(videoId: $id) { videoId snippet { title } } }'
    const variables = { id: sampleVideos.own[0] }
    const persisted = (of: string) => ({ persistedQuery: { version: 1, sha256Hash: hash('sha256', of) } })
    const { asked } = await start('videos')
    const ask = async (body: object) => {
      const { data, errors } = await answerFrom(await asked(body))
      return data ?? errors[0]?.extensions.code
    }
    const expected = await ask({ query: text, variables })
    expect(expected).toMatchObject({ video: { videoId: variables.id } })
    // The text alone teaches no hash.
    expect(await ask({ extensions: persisted(text), variables })).toBe('PERSISTED_QUERY_NOT_FOUND')
    // An error, whatever Apollo Server calls it.
    const other = await ask({ query: '{ other: __typename }', extensions: persisted(text) })
    expect(other).toEqual(expect.stringMatching(/^[A-Z_]+$/))
    expect(await ask({ extensions: persisted(text), variables })).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect(await ask({ query: text, extensions: persisted(text), variables })).toEqual(expected)
    for (let times = 0; times < 3; times++)
      expect(await ask({ extensions: persisted(text), variables, operationName: 'One' })).toEqual(expected)
    expect(await ask({ extensions: persisted(text), variables: {} })).toBe('BAD_USER_INPUT')
    // Too deep, and therefore never taught.
    const deep = `{ ${'a { '.repeat(200)}b${' }'.repeat(200)} }`
    expect(await ask({ query: deep, extensions: persisted(deep) })).toBe('OPERATION_TOO_LARGE')
    expect(await ask({ extensions: persisted(deep) })).toBe('PERSISTED_QUERY_NOT_FOUND')
  })

  test('shows its SDL without proof only if that is configured, and nothing else with it', async () => {
    const shut = await start('nodes')
    const open = await start('nodes', { TESSERA_SUBGRAPH_INTROSPECTION: 'true' })
    const sdl = { query: '{ _service { sdl } }' }
    expect((await ask(shut.url, sdl)).status).toBe(401)
    expect(await (await ask(open.url, sdl)).json()).toMatchObject({
      data: { _service: { sdl: expect.stringContaining('interface Node') } },
    })
    const more = { query: '{ _service { sdl } node(id: "x") { id } }' }
    expect((await ask(open.url, more)).status).toBe(401)
  })

  test('refuses what nests too deep before anything reads it, also from a router', async () => {
    const { sandbox, asked } = await start()
    const deepList = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const deep = [
      { query: `{ ${'... on Query { '.repeat(5000)}__typename${' }'.repeat(5000)} }` },
      { query: `{ messages(messageIds: ${deepList}) { text } }` },
      {
        query: 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }',
        variables: { r: 0 },
      },
    ]
    for (const body of deep) {
      const answer = await asked(JSON.stringify(body).replace('"r":0', `"r":${deepList}`))
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'OPERATION_TOO_LARGE' } }] })
    }
    expect(sandbox.calls('messages.lookup')).toEqual([])
  })

  test('executes without proof only the very operation that it checked', async () => {
    const { sandbox, url } = await start('messages', { TESSERA_SUBGRAPH_INTROSPECTION: 'true' })
    const sdl = '{ _service { sdl } }'
    const data = `{ message(messageId: "${sampleMessages.ordinary}") { text } }`
    // `fetch` sends no body with GET.
    const withBody = (path: string, body: string): Promise<{ status: number; text: string }> =>
      new Promise((resolve, reject) => {
        const request = httpRequest(new URL(path, url), {
          method: 'GET',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        })
        request.on('response', async (response) => {
          resolve({ status: response.statusCode ?? 0, text: await text(response) })
        })
        request.on('error', reject)
        request.end(body)
      })
    const hidden = await withBody(
      `/graphql?${new URLSearchParams({ query: data })}`,
      JSON.stringify({ query: sdl }),
    )
    expect(hidden.status).toBe(400)
    expect(hidden.text).not.toContain('"text"')
    const get = (query: string, more: Record<string, string> = {}) =>
      fetch(`${url}?${new URLSearchParams({ query, ...more })}`, { headers: { accept: 'application/json' } })
    expect((await get(data)).status).toBe(401)
    const persistedQuery = { version: 1, sha256Hash: hash('sha256', data) }
    const allowed = await get(sdl, { extensions: JSON.stringify({ persistedQuery }) })
    expect(await allowed.json()).toMatchObject({ data: { _service: { sdl: expect.any(String) } } })
    const posted = await ask(`${url}?${new URLSearchParams({ query: data })}`, JSON.stringify({ query: sdl }))
    expect(await posted.json()).toMatchObject({ data: { _service: { sdl: expect.any(String) } } })
    expect(sandbox.calls('messages.lookup')).toEqual([])
  })

  test("checks the caller's own token if that is configured, also for entities", async () => {
    const secret = 'a secret of more than thirty-two letters'
    const env = { TESSERA_SUBGRAPH_SCOPES: 'true', TESSERA_JWT_SECRET: secret }
    const service = await start('messages', env)
    const token = (scope: string) => signToken({ scope }, secret)
    const asked = async (headers: Record<string, string>) => {
      const { data, errors } = await answerFrom(await service.asked(entities, headers))
      return [data?._entities?.[0]?.text ?? null, errors[0]?.extensions.code]
    }
    expect(await asked({})).toEqual([null, 'UNAUTHORIZED_FIELD_OR_TYPE'])
    expect(await asked({ authorization: `Bearer ${await token('tweet.read')}` })).toEqual([
      null,
      'UNAUTHORIZED_FIELD_OR_TYPE',
    ])
    expect(await asked({ authorization: 'Bearer nonsense' })).toEqual([null, 'UNAUTHENTICATED'])
    const allowed = `Bearer ${await token('tweet.read users.read')}`
    for (let times = 0; times < 6; times++) {
      for (const traced of [{}, { 'apollo-federation-include-trace': 'ftv1' }]) {
        expect(await asked({ authorization: allowed, ...traced })).toEqual([expect.any(String), undefined])
        expect(await asked(traced)).toEqual([null, 'UNAUTHORIZED_FIELD_OR_TYPE'])
      }
    }
  })
})

describe('a remote subgraph', () => {
  test('gets only the credential for its own service, and the token only if that is configured', async () => {
    const seen = async (env: Record<string, string>) => {
      await using stand = await startFaultyServer(json({ data: { message: null, metrics: null } }))
      await using graph = await startGraph({
        env: {
          TESSERA_SUBGRAPH_SECRET: serviceSecret,
          TESSERA_MESSAGES_SUBGRAPH_URL: `${stand.url}/graphql`,
          TESSERA_METRICS_SUBGRAPH_URL: `${stand.url}/graphql`,
          ...env,
        },
      })
      const headers = Object.fromEntries(
        ['videos', 'agents', 'messages', 'metrics'].map((name) => [`x-${name}-authorization`, `of ${name}`]),
      )
      await graph.ask(
        '{ message(messageId: "20") { text } metrics { buildInfo { version } } }',
        {},
        { headers },
      )
      // What asks whether it takes frames is sent on nobody's behalf.
      const [asked, upgrades] = [
        stand.arrived.filter(({ method }) => method === 'POST'),
        stand.arrived.filter(({ method }) => method === 'GET'),
      ]
      expect([asked.length, upgrades.length]).toEqual([2, 2])
      expect(JSON.stringify(upgrades)).not.toMatch(/authorization/)
      return asked.map(({ body, headers: sent }) => [
        body.includes('metrics') ? 'metrics' : 'messages',
        Object.keys(sent)
          .filter((name) => name.endsWith('authorization'))
          .sort(),
      ])
    }
    expect(Object.fromEntries(await seen({}))).toEqual({
      messages: ['x-messages-authorization'],
      metrics: ['x-metrics-authorization'],
    })
    expect(Object.fromEntries(await seen({ TESSERA_SUBGRAPH_TOKENS: 'metrics' }))).toEqual({
      messages: ['x-messages-authorization'],
      metrics: ['authorization', 'x-metrics-authorization'],
    })
    expect(Object.fromEntries(await seen({ TESSERA_SUBGRAPH_SCOPES: 'true' }))).toEqual({
      messages: ['authorization', 'x-messages-authorization'],
      metrics: ['authorization', 'x-metrics-authorization'],
    })
  })

  test('is given up after the time that every upstream call has', async () => {
    await using stand = await startFaultyServer(hang)
    await using graph = await startGraph({
      env: {
        TESSERA_SUBGRAPH_SECRET: serviceSecret,
        TESSERA_MESSAGES_SUBGRAPH_URL: `${stand.url}/graphql`,
        TESSERA_UPSTREAM_TIMEOUT_MS: '200',
      },
    })
    const { errors } = await graph.ask('{ message(messageId: "20") { text } }')
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_TIMEOUT'])
  })
})
