/**
 * Who may subscribe: pages of other sites, tokens that are bound to a key, trusted documents, scopes of each field.
 */
import { createHash, generateKeyPairSync, randomUUID, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeCertificate } from '../../support/certificate.ts'
import { startFaultyServer } from '../../support/faulty-server.ts'
import { answerFrom, startGraph } from '../../support/graph.ts'
import { postJson } from '../../support/post-json.ts'
import { startService, supergraphOf } from '../../support/router.ts'
import { temporaryFile, temporaryFolder } from '../../support/temporary.ts'
import { signToken, tokenSecret } from '../../support/token.ts'
import { connect, follow, start, wait } from './kit.ts'

const query = 'subscription { ticked { number } }'

/** What the first message of an operation, or the end of the connection, says. */
function asked(
  wsUrl: string,
  payload: Record<string, unknown> | undefined,
  operation: Record<string, unknown> = { query },
): Promise<unknown> {
  const client = connect({ wsUrl }, payload === undefined ? {} : { connectionParams: payload })
  return new Promise((resolve) => {
    client.subscribe(operation as { query: string }, {
      next: resolve,
      error: (error) => resolve(Array.isArray(error) ? error : (error as { code?: number }).code),
      complete: () => resolve('complete'),
    })
  }).finally(() => client.dispose())
}

test('a page of another site opens no WebSocket, one of a site that is listed, or of this host, does', async () => {
  const live = await start({ env: { TESSERA_CORS_ORIGINS: 'https://app.example.com' } })
  const from = (origin: string | undefined): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(live.wsUrl, 'graphql-transport-ws', origin === undefined ? {} : { origin })
      socket.once('open', () => {
        resolve('open')
        socket.terminate()
      })
      socket.once('error', ({ message }) => resolve(message))
    })
  expect(await from('https://evil.example.com')).toContain('403')
  expect(await from('null')).toContain('403')
  expect(await from('https://app.example.com')).toBe('open')
  expect(await from(new URL(live.url).origin)).toBe('open')
  expect(await from(undefined)).toBe('open')
})

test('a token that is bound to a key by DPoP is accepted with a proof in connection_init, once, and not otherwise', async () => {
  const live = await start({ env: { TESSERA_DPOP: 'accept' } })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const token = await signToken({ scope: 'x', cnf: { jkt: await calculateJwkThumbprint(jwk) } })
  const proof = (htm = 'GET') =>
    new SignJWT({
      htm,
      htu: live.url,
      jti: randomUUID(),
      ath: createHash('sha256').update(token).digest('base64url'),
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey)
  const authorization = `DPoP ${token}`
  const good = await proof()
  const first = asked(live.wsUrl, { authorization, dpop: good })
  await expect.poll(() => live.graph.listening(), wait).toBe(1)
  live.graph.tick(1)
  expect(await first).toMatchObject({ data: { ticked: { number: 1 } } })
  expect(await asked(live.wsUrl, { authorization, dpop: good })).toBe(4401)
  expect(await asked(live.wsUrl, { authorization })).toBe(4401)
  expect(await asked(live.wsUrl, { authorization, dpop: await proof('POST') })).toBe(4401)
  expect(await asked(live.wsUrl, { authorization: `Bearer ${token}`, dpop: await proof() })).toBe(4401)
})

test('a token that is bound to a certificate is accepted and renewed by what the proxy says of it, not by the payload', async () => {
  const folder = temporaryFolder()
  for (const name of ['ada', 'grace']) makeCertificate(folder, name)
  const certificate = (name: string) => new X509Certificate(readFileSync(join(folder, `${name}.pem`)))
  const shown = (name: string) => ({ 'client-cert': `:${certificate(name).raw.toString('base64')}:` })
  const thumbprint = createHash('sha256').update(certificate('ada').raw).digest('base64url')
  const authorization = `Bearer ${await signToken({ scope: 'tweet.read users.read', cnf: { 'x5t#S256': thumbprint } })}`
  await using graph = await startGraph({
    env: {
      TESSERA_JWT_SECRET: tokenSecret,
      TESSERA_CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
      TESSERA_CLIENT_CERTIFICATE_PROXIES: '127.0.0.1',
      // So that a client may send the header in the payload.
      TESSERA_HEADERS_SUBGRAPHS: JSON.stringify({
        messages: { request: [{ propagate: { named: 'Client-Cert' } }] },
      }),
    },
  })
  const first = (headers: Record<string, string>, payload: Record<string, string>): Promise<unknown> => {
    const pongs: unknown[] = []
    let socket: WebSocket | undefined
    const client = connect(graph, {
      headers,
      connectionParams: { authorization, ...payload },
      on: {
        opened: (opened) => {
          socket = opened as WebSocket
        },
        connected: () => socket?.send(JSON.stringify({ type: 'ping', payload: { authorization } })),
        pong: (_received, answer) => void pongs.push(answer),
      },
    })
    const followed = follow(client, 'subscription { messageChanged(messageIds: ["20"]) { messageId } }')
    return expect
      .poll(() => pongs[0] ?? followed.errors[0], wait)
      .toBeDefined()
      .then(() => pongs[0] ?? (followed.errors[0] as { code?: number }).code)
  }
  expect(await first(shown('ada'), {})).toEqual({ renewed: true })
  expect(await first(shown('grace'), shown('ada'))).toBe(4401)
  expect(await first({}, shown('ada'))).toBe(4401)
})

test('services get the header of the certificate from the proxy, and others from the payload', async () => {
  await using service = await startService('shop', { sdl: 'type Query { open: Int }', resolvers: {} })
  const named = ['Client-Cert', 'X-Tenant'].map((name) => ({ propagate: { named: name } }))
  await using graph = await startGraph({
    graph: { supergraph: supergraphOf([service]) },
    env: {
      TESSERA_CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
      TESSERA_CLIENT_CERTIFICATE_PROXIES: '127.0.0.1',
      TESSERA_HEADERS_SUBGRAPHS: JSON.stringify({ shop: { request: named } }),
    },
  })
  const client = connect(graph, {
    headers: { 'client-cert': ':cHJveHk=:', 'x-tenant': 'page' },
    connectionParams: { 'client-cert': ':Zm9yZ2Vk:', 'x-tenant': 'app' },
  })
  const { results } = follow(client, '{ open }')
  await expect.poll(() => results, wait).toEqual([{ data: { open: null } }])
  expect(service.asked.map(({ headers }) => [headers['client-cert'], headers['x-tenant']])).toEqual([
    [':cHJveHk=:', 'app'],
  ])
})

test('while the issuer cannot say whether a token is active, clients are asked to come back', async () => {
  let isAway = false
  await using issuer = await startFaultyServer((response) => {
    if (isAway) response.writeHead(500)
    response.end(JSON.stringify({ active: true, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600 }))
  })
  const live = await start({
    env: {
      TESSERA_INTROSPECTION_URL: issuer.url,
      TESSERA_INTROSPECTION_CLIENT_ID: 'gateway',
      TESSERA_INTROSPECTION_CLIENT_SECRET: 'what the gateway shows its issuer',
      TESSERA_INTROSPECTION_CACHE_SECONDS: '0',
    },
  })
  const authorization = 'Bearer opaque'
  const closed: unknown[] = []
  const client = connect(live, {
    authorization,
    retryAttempts: 100,
    retryWait: async () => {
      isAway = closed.length < 2
    },
    on: { closed: (event) => void closed.push((event as { code: number }).code) },
  })
  const [sse, multipart] = ['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'].map(async (accept) =>
    (await postJson(live.url, { query }, { accept, authorization })).text(),
  )
  await expect.poll(() => live.metric('tessera_subscriptions'), wait).toBe(2)
  await expect.poll(() => live.graph.listening(), wait).toBe(1)
  live.graph.tick(1)
  await expect.poll(() => live.metric('tessera_subscription_events_total'), wait).toBe(2)
  isAway = true
  live.graph.tick(2)
  expect(await sse).toMatch(/event: next\ndata: .*"number":1.*\n\nretry: \d+\n\n$/)
  expect(await multipart).toMatch(/"number":1.*\r\n.*\r\n.*\r\n\r\n\{"payload":null.*SUBSCRIPTION_RESTART/)
  isAway = false
  await expect.poll(() => live.graph.listening(), wait).toBe(0)
  const events = follow(client, query)
  await expect.poll(() => live.graph.listening(), wait).toBe(1)
  isAway = true
  live.graph.tick(3)
  await expect.poll(() => closed, wait).toEqual([1012, 1013])
  await expect.poll(() => live.graph.listening(), wait).toBe(1)
  live.graph.tick(4)
  await expect.poll(() => events.results.map(({ data }) => data), wait).toEqual([{ ticked: { number: 4 } }])
  expect(events.errors).toEqual([])
})

test('for subscriptions, too, only trusted documents are executed', async () => {
  const id = createHash('sha256').update(query).digest('hex')
  const manifest = temporaryFile(
    'manifest.json',
    JSON.stringify({
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id, name: '', type: 'subscription', body: query }],
    }),
  )
  const live = await start({ env: { TESSERA_PERSISTED: 'trusted', TESSERA_PERSISTED_MANIFEST: manifest } })
  const other = 'subscription { measured { number } }'
  expect(await asked(live.wsUrl, undefined, { query: other })).toMatchObject([
    { extensions: { code: 'PERSISTED_QUERY_ONLY' } },
  ])
  const response = await postJson(live.url, { query: other }, { accept: 'text/event-stream' })
  expect(response.status).toBe(403)
  const persistedQuery = { version: 1, sha256Hash: id }
  const byHash = asked(live.wsUrl, undefined, { query: '', extensions: { persistedQuery } })
  await expect.poll(() => live.graph.listening(), wait).toBe(1)
  live.graph.tick(1)
  expect(await byHash).toMatchObject({ data: { ticked: { number: 1 } } })
})

describe('the scopes of our own graph', () => {
  const api = readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8')
  const fields = Object.values(buildSchema(api).getSubscriptionType()?.getFields() ?? {})

  test('each field of Subscription that needs scopes is refused without them, with the error of a query', async () => {
    await using graph = await startGraph()
    const operations: Record<string, string> = {
      videoChanged: 'videoChanged(videoIds: ["a"]) { videoId }',
      commentThreadAdded: 'commentThreadAdded(videoId: "a") { gap }',
      mediaQuotaChanged: 'mediaQuotaChanged { used }',
      messageChanged: 'messageChanged(messageIds: ["20"]) { text }',
      likeAdded: 'likeAdded(messageId: "20") { gap }',
      metricsQuery: 'metricsQuery(query: "up") { resultType }',
      metricsRange: 'metricsRange(query: "up", window: "1m", step: "10s") { end }',
      alertChanged: 'alertChanged { change }',
      agentOperationChanged: 'agentOperationChanged(name: "a") { done }',
    }
    expect(Object.keys(operations).sort()).toEqual(fields.map(({ name }) => name).sort())
    const scoped = fields.filter(({ description }) => description?.includes('Requires ') === true)
    expect(scoped.length).toBeGreaterThan(4)
    for (const { name, description } of scoped) {
      const [, named = ''] = /Requires (.*)\./.exec(description ?? '') ?? []
      const required = [...named.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope).sort()
      const response = await postJson(
        graph.url,
        { query: `subscription { ${operations[name]} }` },
        { accept: 'text/event-stream', authorization: `Bearer ${await graph.token('nothing.else')}` },
      )
      const body = await answerFrom(response)
      expect([name, response.status, body.data]).toEqual([name, 403, null])
      const [error] = body.errors
      expect(error).toMatchObject({ path: [name], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } })
      expect(error?.extensions).toMatchObject({ authorization: { required: [expect.any(Array)] } })
      const extensions = (error?.extensions ?? {}) as { authorization?: { required: string[][] } }
      expect([name, extensions.authorization?.required.flat().sort()]).toEqual([name, required])
    }
    // The error of a query of the same rule.
    const queried = await graph.ask('{ message(messageId: "20") { text } }', {}, { scope: 'nothing.else' })
    expect(queried.status).toBe(403)
    expect(queried.errors[0]?.extensions.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE')
  })
})
