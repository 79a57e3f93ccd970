/** TLS of the gateway's own: HTTPS, tokens that are bound to the certificate of the connection, files that change. */
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { createClient } from 'graphql-ws'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startGateway } from '../../gateway/index.ts'
import { makeCertificate } from '../support/certificate.ts'
import { configFrom, type Json, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { startTessera } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { signToken } from '../support/token.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
const file = (name: string): string => join(folder, name)
const text = (name: string): string => readFileSync(file(name), 'utf8')
const secret = 'what the issuer and this server share'

for (const name of ['authority', 'stranger']) makeCertificate(folder, name)
for (const name of ['server', 'renewed', 'ada', 'grace']) makeCertificate(folder, name, 'authority')
for (const end of ['pem', 'key']) copyFileSync(file(`server.${end}`), file(`current.${end}`))
const graph = keepForFile(
  await startGraph({
    env: {
      TESSERA_TLS_CERT: file('current.pem'),
      TESSERA_TLS_KEY: file('current.key'),
      TESSERA_TLS_CLIENT_CA: file('authority.pem'),
      TESSERA_JWT_SECRET: secret,
    },
  }),
)

const thumbprint = (name: string): string =>
  createHash('sha256')
    .update(new X509Certificate(text(`${name}.pem`)).raw)
    .digest('base64url')

const boundTo = (name: string): Promise<string> =>
  signToken({ sub: name, scope: 'tweet.read users.read', cnf: { 'x5t#S256': thumbprint(name) } }, secret)

interface Answer {
  readonly status: number
  readonly body: Json
  readonly server: string
}

/** One request on a connection of its own; `as`: whose certificate it shows. */
async function ask(
  token: string | undefined,
  as?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const agent = new HttpsAgent({
    ca: text('authority.pem'),
    ...(as === undefined ? {} : { cert: text(`${as}.pem`), key: text(`${as}.key`) }),
  })
  const body = JSON.stringify({ query: '{ message(messageId: "20") { text } }' })
  try {
    return await new Promise((resolve, reject) => {
      const request = httpsRequest(graph.url, {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
      })
      request.once('error', reject)
      request.once('response', (response) => {
        const server = (response.socket as TLSSocket).getPeerX509Certificate()?.subject ?? ''
        const { statusCode: status = 0 } = response
        json(response).then((body) => resolve({ status, body, server }), reject)
      })
      request.end(body)
    })
  } finally {
    agent.destroy()
  }
}

test('addresses say https, and plain HTTP is not answered', async () => {
  expect(graph.url).toMatch(/^https:/)
  expect((await ask(undefined)).status).toBe(401)
  await expect(fetch(graph.url.replace('https:', 'http:'))).rejects.toThrow()
})

test('a token that is bound to a certificate is taken on connections that have proved it, and on no others', async () => {
  const token = await boundTo('ada')
  expect((await ask(token, 'ada')).body.data.message.text).toEqual(expect.any(String))
  for (const as of [undefined, 'grace']) {
    const { status, body } = await ask(token, as)
    expect([status, body.errors[0].extensions.authentication.reason]).toEqual([401, 'binding'])
  }
  // No authority vouches for it: as if it had not been shown.
  const strange = await boundTo('stranger')
  expect((await ask(strange, 'stranger')).status).toBe(401)
  // No proxy is trusted: the certificate is that of the connection.
  const der = new X509Certificate(text('ada.pem')).raw.toString('base64')
  expect((await ask(token, 'grace', { 'client-cert': `:${der}:` })).status).toBe(401)
})

test('the same holds for subscriptions, by WebSockets and server-sent events', async () => {
  const token = await boundTo('ada')
  const query = 'subscription { messageChanged(messageIds: ["20"]) { messageId } }'
  const certificate = (as: string) => ({
    ca: text('authority.pem'),
    cert: text(`${as}.pem`),
    key: text(`${as}.key`),
  })
  const overWebSocket = async (as: string): Promise<unknown> => {
    class Socket extends WebSocket {
      constructor(address: string, protocols: string) {
        super(address, protocols, certificate(as))
      }
    }
    const client = createClient({
      url: graph.url.replace('https', 'wss'),
      webSocketImpl: Socket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
    })
    const events = client.iterate({ query })
    try {
      return (await events.next()).value?.data
    } catch (error) {
      return (error as { code?: unknown }).code
    } finally {
      await events.return?.()
      await client.dispose()
    }
  }
  expect(await overWebSocket('ada')).toEqual({ messageChanged: { messageId: '20' } })
  expect(await overWebSocket('grace')).toBe(4401)
  const overSse = (as: string) =>
    new Promise<string | number>((resolve, reject) => {
      const request = httpsRequest(graph.url, {
        ...certificate(as),
        agent: false,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
        },
      })
      request.once('error', reject)
      request.once('response', (response) => {
        if (response.statusCode !== 200) resolve(response.statusCode ?? 0)
        let all = ''
        response.on('error', () => {})
        response.on('data', (piece) => {
          all += String(piece)
          if (!all.includes('\n\n')) return
          resolve(all)
          response.destroy()
        })
      })
      request.end(JSON.stringify({ query }))
    })
  expect(await overSse('ada')).toContain('{"messageChanged":{"messageId":"20"}}')
  expect(await overSse('grace')).toBe(401)
})

test('the metadata says that tokens may be bound to certificates', async () => {
  const path = new URL('/.well-known/oauth-protected-resource/graphql', graph.url)
  const body = await new Promise((resolve, reject) => {
    httpsRequest(path, { ca: text('authority.pem') }, (response) => resolve(json(response)))
      .once('error', reject)
      .end()
  })
  expect(body).toMatchObject({ resource: graph.url, tls_client_certificate_bound_access_tokens: true })
})

test('the files are read again at a reload; what cannot be used leaves those from before', async () => {
  expect((await ask(undefined)).server).toBe('CN=server')
  for (const end of ['pem', 'key']) copyFileSync(file(`renewed.${end}`), file(`current.${end}`))
  await graph.gateway.reload()
  expect((await ask(undefined)).server).toBe('CN=renewed')
  writeFileSync(file('current.key'), text('ada.key'))
  await graph.gateway.reload()
  expect((await ask(undefined)).server).toBe('CN=renewed')
  expect(graph.log.join('')).toContain('the TLS files cannot be used')
  for (const end of ['pem', 'key']) {
    writeFileSync(file('current.pem'), text('renewed.pem'))
    writeFileSync(file('current.key'), text('renewed.key'))
    // As a file is that is being written, or on a full disk.
    writeFileSync(file(`current.${end}`), '')
    await graph.gateway.reload()
    expect((await ask(undefined)).server).toBe('CN=renewed')
    expect(graph.log.join('')).toContain(`current.${end} cannot be used: it is empty`)
  }
  writeFileSync(file('current.key'), text('renewed.key'))
  const authority = text('authority.pem')
  writeFileSync(file('authority.pem'), '')
  await graph.gateway.reload()
  writeFileSync(file('authority.pem'), authority)
  expect(graph.log.join('')).toContain('authority.pem cannot be used: it has no certificate')
  expect((await ask(await boundTo('ada'), 'ada')).status).toBe(200)
  expect(graph.log.join('')).not.toContain('PRIVATE KEY')
})

test.each([
  ['when they change', '20'],
  ['after SIGHUP', '0'],
])('a subgraph service serves with renewed files %s', async (when, watchMs) => {
  for (const end of ['pem', 'key']) copyFileSync(file(`server.${end}`), file(`service.${end}`))
  await using service = startTessera(['subgraph', 'nodes', '--port', '0'], {
    TESSERA_TLS_CERT: file('service.pem'),
    TESSERA_TLS_KEY: file('service.key'),
    TESSERA_WATCH_MS: watchMs,
  })
  const { port } = new URL(await service.said('nodes'))
  const subject = async (): Promise<string | undefined> => {
    const socket = connectTls({ host: '127.0.0.1', port: Number(port), ca: text('authority.pem') })
    await once(socket, 'secureConnect')
    const certificate = socket.getPeerX509Certificate()
    socket.destroy()
    return certificate?.subject
  }
  expect(await subject()).toBe('CN=server')
  for (const end of ['pem', 'key']) copyFileSync(file(`renewed.${end}`), file(`service.${end}`))
  if (when === 'after SIGHUP') service.hangUp()
  await until(async () => (await subject()) === 'CN=renewed', 'the renewed certificate is served')
})

test('a handshake that is never finished ends its connection', async () => {
  await using short = await startGraph({
    env: {
      TESSERA_TLS_CERT: file('server.pem'),
      TESSERA_TLS_KEY: file('server.key'),
      TESSERA_HEADERS_TIMEOUT_MS: '100',
    },
  })
  const raw = connect(Number(new URL(short.url).port), '127.0.0.1')
  raw.on('error', () => {})
  const silent = await new Promise((resolve) => raw.once('close', () => resolve('closed')))
  expect(silent).toBe('closed')
})

test.each([
  ['no such file', 'nowhere.pem', 'server.key', /nowhere\.pem cannot be read: there is no such file/],
  ['a key of another certificate', 'server.pem', 'ada.key', /do not match/],
])('it does not start with %s', async (_, certificate, key, message) => {
  const config = configFrom({ TESSERA_TLS_CERT: file(certificate), TESSERA_TLS_KEY: file(key) })
  await expect(startGateway({ config })).rejects.toThrow(message)
})
