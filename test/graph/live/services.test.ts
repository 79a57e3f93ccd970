/** Our own subgraphs as services: their subscriptions for our gateway, for other routers, and for no other client. */
import { createClient as createSseClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sampleAgents } from '../../../sandbox/agents/index.ts'
import { startSandbox } from '../../../sandbox/index.ts'
import { sampleMessages } from '../../../sandbox/messages/index.ts'
import { sampleVideos } from '../../../sandbox/videos/index.ts'
import { hashOf } from '../../../shared/graphql/persisted-operation.ts'
import { writeListPosition } from '../../../subgraphs/kit/polling/index.ts'
import { allScopes, type Graph, startGraph } from '../../support/graph.ts'
import { keepForFile } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'
import { serviceSecret, startServices } from '../../support/services.ts'
import { tokenSecret } from '../../support/token.ts'
import { connect, follow, type Listening, listen, readUntil } from './kit.ts'

const wait = { interval: 20 }
const pace = { defaultMs: 150, leastMs: 100, idleMs: 150 }

const sandbox = keepForFile(await startSandbox())
const services = keepForFile(await startServices(sandbox.url, {}, undefined, { pace }))

async function listenTo(graph: Graph, query: string): Promise<Listening> {
  const headers = { authorization: `Bearer ${await graph.token(allScopes)}` }
  return listen(graph.url, { query }, headers)
}

const video = sampleVideos.own[0] ?? ''
const { ordinary, own: liked } = sampleMessages

describe.each(['sse', 'websocket'] as const)('our gateway over services by %s', async (protocol) => {
  const file = { traffic: { all: { subscriptions: { protocol } } } }
  const graph = keepForFile(await startGraph({ env: services.env, file }))

  test('has all nine subscriptions, and other fields beside them', async () => {
    sandbox.change('agents', { operationsLast: true })
    const { data, errors } = await graph.ask(
      `mutation { exportAgent(input: { project: "${sampleAgents.project}" }) { operation { name } } }`,
    )
    expect(errors).toEqual([])
    const { name } = data.exportAgent.operation
    // Who likes it is read rarely, as the service allows few calls: if it begins after the last but one, it has an
    // event immediately.
    const known = await fetch(`${sandbox.url}/2/tweets/${liked}/liking_users`)
    const [newest, second] = ((await known.json()) as { data: { id: string }[] }).data
    const after = writeListPosition(`likes ${liked}`, [second?.id ?? ''])
    const operations = {
      videoChanged: `videoChanged(videoIds: ["${video}"]) { videoId snippet { title } }`,
      commentThreadAdded: `commentThreadAdded(videoId: "${video}") { commentThreadEdge { node { topLevelComment { textDisplay } video { snippet { title } } } } }`,
      mediaQuotaChanged: 'mediaQuotaChanged { used resetsAt }',
      messageChanged: `messageChanged(messageIds: ["${ordinary}"]) { messageId author { username } }`,
      likeAdded: `likeAdded(messageId: "${liked}", after: "${after}") { user { userId } }`,
      metricsQuery: 'metricsQuery(query: "up") { resultType }',
      metricsRange: 'metricsRange(query: "up", window: "1m", step: "10s") { end }',
      alertChanged: 'alertChanged { change alert { name } }',
      agentOperationChanged: `agentOperationChanged(name: "${name}") { name done }`,
    }
    const polls = sandbox.calls('commentThreads.list').length
    const all = Object.fromEntries(
      await Promise.all(
        Object.entries(operations).map(async ([field, text]) => [
          field,
          await listenTo(graph, `subscription { ${text} }`),
        ]),
      ),
    ) as Record<keyof typeof operations, Listening>
    await expect.poll(() => all.messageChanged.events.length, wait).toBe(1)
    // A list begins with what comes after its first poll.
    await expect.poll(() => sandbox.calls('commentThreads.list').length, wait).toBeGreaterThan(polls)
    sandbox.change('videos', { videoId: video, comment: `Hello by ${protocol}` })
    sandbox.change('agents', { finish: name })
    for (const [field, listening] of Object.entries(all))
      await expect.poll(() => listening.events.length, { ...wait, message: field }).toBeGreaterThan(0)
    expect(all.videoChanged.events[0].data.videoChanged).toMatchObject({
      videoId: video,
      snippet: { title: expect.any(String) },
    })
    expect(all.videoChanged.events[0].extensions.live).toMatchObject({ unitsPerPoll: 1 })
    expect(all.commentThreadAdded.events[0].data.commentThreadAdded.commentThreadEdge.node).toMatchObject({
      topLevelComment: { textDisplay: `Hello by ${protocol}` },
      video: { snippet: { title: expect.any(String) } },
    })
    expect(all.likeAdded.events[0].data.likeAdded.user.userId).toBe(newest?.id)
    await expect.poll(all.agentOperationChanged.ended, wait).toBe('complete')
    expect(all.agentOperationChanged.events.at(-1).data).toEqual({
      agentOperationChanged: { name, done: true },
    })
    for (const listening of Object.values(all)) {
      expect(listening.events.flatMap((event) => event.errors ?? [])).toEqual([])
      listening.stop()
    }
    // Without subscribers nothing is polled any more.
    await expect
      .poll(async () => {
        const before = sandbox.journal.length
        await new Promise((resolve) => setTimeout(resolve, 500))
        return sandbox.journal.length - before
      }, wait)
      .toBe(0)
  })

  test('who subscribes later gets the window of a range and the alerts that fire, too', async () => {
    sandbox.change('metrics', { fire: { alertname: `Late${protocol}` } })
    for (const query of [
      'subscription { metricsRange(query: "up", window: "1m", step: "10s") { start end } }',
      `subscription { alertChanged(labels: [{ name: "alertname", value: "Late${protocol}" }]) { change } }`,
    ]) {
      const first = await listenTo(graph, query)
      await expect.poll(() => first.events.length, wait).toBeGreaterThan(0)
      const later = await listenTo(graph, query)
      await expect.poll(() => later.events.length, wait).toBeGreaterThan(0)
      expect(Object.keys(later.events[0].extensions).sort()).toEqual(['eventId', 'live'])
      for (const listening of [first, later]) listening.stop()
    }
  })

  test('a malformed argument is refused as in one process', async () => {
    const listening = await listenTo(graph, 'subscription { videoChanged(videoIds: ["x y"]) { videoId } }')
    await expect.poll(listening.ended, wait).toBeDefined()
    if (protocol === 'sse') expect(String(listening.ended())).toContain('400')
    else expect(listening.events).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }])
  })
})

describe('a service by itself', () => {
  const query = `subscription { messageChanged(messageIds: ["${ordinary}"]) { messageId } }`
  const url = () => services.urls.messages
  const wsUrl = () => url().replace('http', 'ws')
  const first = async (client: ReturnType<typeof createClient>) => {
    const events = client.iterate({ query })
    try {
      return (await events.next()).value
    } finally {
      await events.return?.()
      await client.dispose()
    }
  }
  const event = {
    data: { messageChanged: { messageId: ordinary } },
    extensions: { live: expect.anything(), eventKey: ordinary },
  }

  test('serves a router that has the secret, in the payload or in a header, and no other client', async () => {
    const options = { url: wsUrl(), webSocketImpl: WebSocket, retryAttempts: 0 }
    const proof = { 'router-authorization': `Bearer ${serviceSecret}` }
    expect(await first(createClient({ ...options, connectionParams: proof }))).toEqual(event)
    class Proven extends WebSocket {
      constructor(address: string, protocols: string) {
        super(address, protocols, { headers: proof })
      }
    }
    expect(await first(createClient({ ...options, webSocketImpl: Proven }))).toEqual(event)
    await expect(first(createClient(options))).rejects.toMatchObject({ code: 4401 })
    const wrong = { 'router-authorization': 'Bearer something else that is as long' }
    await expect(first(createClient({ ...options, connectionParams: wrong }))).rejects.toMatchObject({
      code: 4401,
    })
  })

  test('serves them by server-sent events, with ids and keys, to who has the secret', async () => {
    const ask = (headers: Record<string, string>, body: object = { query }) =>
      postJson(url(), body, { accept: 'text/event-stream', ...headers })
    expect((await ask({})).status).toBe(401)
    const proof = { 'router-authorization': `Bearer ${serviceSecret}` }
    const client = createSseClient({ url: url(), headers: proof, retryAttempts: 0 })
    const events = client.iterate({ query })
    expect((await events.next()).value).toEqual(event)
    await events.return?.()
    client.dispose()
    const queried = await ask(proof, { query: '{ __typename }' })
    expect(queried.status).toBe(406)
    const unknown = await ask(proof, { query: 'subscription { nothing }' })
    expect([unknown.status, await unknown.text()]).toEqual([
      200,
      expect.stringMatching(/event: next\ndata: .*"GRAPHQL_VALIDATION_FAILED"[\s\S]*event: complete\n/),
    ])
  })

  test("serves them by Apollo's multipart protocol, with the document by its hash once it is known", async () => {
    const sha256Hash = hashOf(query)
    const ask = async (body: object) => {
      const response = await postJson(
        url(),
        { ...body, extensions: { persistedQuery: { version: 1, sha256Hash } } },
        {
          accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
          'router-authorization': `Bearer ${serviceSecret}`,
        },
      )
      return readUntil(response, (text) => /"messageId"|"errors"/.test(text))
    }
    expect(await ask({})).toContain('PERSISTED_QUERY_NOT_FOUND')
    for (const body of [{ query }, {}]) {
      const text = await ask(body)
      expect(text).toMatch(/^--graphql\r\n.*\r\n\r\n\{"payload":/)
      expect(text).toContain(`"data":{"messageChanged":{"messageId":"${ordinary}"}}`)
      expect(text).toContain(`"eventKey":"${ordinary}"`)
    }
  })

  test('tells a router of a refusal in a part, if it reads parts and no JSON', async () => {
    const parts = 'multipart/mixed;subscriptionSpec="1.0", text/event-stream'
    const ask = async (accept: string) => {
      const response = await postJson(
        url(),
        { query: 'subscription { nothing }' },
        { accept, 'router-authorization': `Bearer ${serviceSecret}` },
      )
      return [response.status, await response.text()]
    }
    const refused =
      /^--graphql\r\n.*\r\n\r\n\{"payload":\{"errors":.*"GRAPHQL_VALIDATION_FAILED".*\r\n--graphql--\r\n$/
    expect(await ask(parts)).toEqual([200, expect.stringMatching(refused)])
    expect(await ask(`${parts}, application/json`)).toEqual([
      200,
      expect.stringMatching(/^\{"errors":.*"GRAPHQL_VALIDATION_FAILED"/),
    ])
  })

  test('requests the scopes of the caller if it checks callers itself', async () => {
    await using checking = await startServices(
      sandbox.url,
      { TESSERA_SUBGRAPH_SCOPES: 'true', TESSERA_JWT_SECRET: tokenSecret },
      ['messages'],
      { pace },
    )
    const response = await postJson(
      checking.urls.messages,
      { query },
      { accept: 'text/event-stream', 'router-authorization': `Bearer ${serviceSecret}` },
    )
    expect(await response.text()).toMatch(/event: next\ndata: .*"UNAUTHORIZED_FIELD_OR_TYPE"/)
  })

  test('that has too many subscriptions says so by its status, so that a router asks again', async () => {
    const env = { TESSERA_MAX_SUBSCRIPTIONS: '1' }
    await using few = await startServices(sandbox.url, env, ['messages'], { pace })
    const headers = { accept: 'text/event-stream', 'router-authorization': `Bearer ${serviceSecret}` }
    const first = await postJson(few.urls.messages, { query }, headers)
    const second = await postJson(few.urls.messages, { query }, headers)
    expect([first.status, second.status, await second.json()]).toMatchObject([
      200,
      429,
      { errors: [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }] },
    ])
    await first.body?.cancel()
  })

  test('that checks callers itself gets a renewed token when the first one has expired, whoever has renewed it', async () => {
    const env = { TESSERA_SUBGRAPH_SCOPES: 'true', TESSERA_JWT_SECRET: tokenSecret }
    await using checking = await startServices(sandbox.url, env, ['messages'], { pace })
    await using graph = await startGraph({ env: { ...checking.env, ...env } })
    let socket: WebSocket | undefined
    const first = `Bearer ${await graph.token(allScopes, 'demo', 5)}`
    const followed = follow(connect(graph, { authorization: first }), query)
    await expect.poll(() => followed.results.length, wait).toBe(1)
    // It shares the subscription of the subgraph.
    const client = connect(graph, {
      authorization: first,
      on: {
        opened: (opened) => {
          socket = opened as WebSocket
        },
      },
    })
    const renewing = follow(client, query)
    await expect.poll(() => renewing.results.length, wait).toBe(1)
    expect(await graph.metric('tessera_subscription_sources')).toBe(1)
    const authorization = `Bearer ${await graph.token(allScopes)}`
    socket?.send(JSON.stringify({ type: 'ping', payload: { authorization } }))
    const resumed = 'tessera_subgraph_subscriptions_total{subgraph="messages",result="resumed"}'
    await expect.poll(() => graph.metric(resumed), { interval: 100, timeout: 30_000 }).toBe(1)
    expect(renewing.errors).toEqual([])
    await expect
      .poll(() => followed.errors, wait)
      .toMatchObject([[{ extensions: { code: 'UNAUTHENTICATED' } }]])
  })

  test('that restarts is subscribed to again, and nothing is lost or comes twice', async () => {
    const start = (port?: number) =>
      startServices(sandbox.url, {}, ['videos'], { pace, ...(port === undefined ? {} : { port }) })
    const before = await start()
    await using graph = await startGraph({ env: before.env })
    const listening = await listenTo(
      graph,
      `subscription { commentThreadAdded(videoId: "${video}") { gap commentThreadEdge { node { topLevelComment { textDisplay } } } } }`,
    )
    const polls = sandbox.calls('commentThreads.list').length
    await expect.poll(() => sandbox.calls('commentThreads.list').length, wait).toBeGreaterThan(polls)
    sandbox.change('videos', { videoId: video, comment: 'before' })
    await expect.poll(() => listening.events.length, wait).toBe(1)
    await before[Symbol.asyncDispose]()
    sandbox.change('videos', { videoId: video, comment: 'between' })
    await using _after = await start(Number(new URL(before.urls.videos).port))
    await expect.poll(() => listening.events.length, wait).toBe(2)
    sandbox.change('videos', { videoId: video, comment: 'after' })
    await expect.poll(() => listening.events.length, wait).toBe(3)
    const seen = listening.events.map(({ data }) => {
      const { gap, commentThreadEdge } = data.commentThreadAdded
      return [gap, commentThreadEdge.node.topLevelComment.textDisplay]
    })
    expect(seen).toEqual([
      [false, 'before'],
      [false, 'between'],
      [false, 'after'],
    ])
    listening.stop()
  })
})
