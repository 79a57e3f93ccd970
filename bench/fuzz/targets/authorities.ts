/**
 * Responses of servers that the gateway calls over HTTP: authorization servers, key sets, coprocessors, subgraphs
 * with events.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { errors } from 'jose'
import { WebSocketServer } from 'ws'
import type {
  ConnectionEnd,
  ConnectionListener,
  EventConnection,
} from '../../../engine/subgraphs/events/connection.ts'
import { connectSse } from '../../../engine/subgraphs/events/sse.ts'
import { SubgraphWebSocket } from '../../../engine/subgraphs/events/websocket.ts'
import { maskedErrors, readErrorsOf } from '../../../engine/subgraphs/http/subgraph-errors.ts'
import { createIntrospection } from '../../../gateway/auth/authenticate/introspection.ts'
import { KeySet } from '../../../gateway/auth/authenticate/key-set.ts'
import { CoprocessorError, createCoprocessorClient } from '../../../gateway/hooks/coprocessor/client.ts'
import { createHttpClient } from '../../../shared/http/client.ts'
import { createTokenEndpoint } from '../../../subgraphs/kit/credentials/token-endpoint.ts'
import { type ScriptedServer, startScriptedServer } from '../scripted-server.ts'
import { targetsOf } from '../target.ts'
import { allTyped, isTyped } from '../typed.ts'

let running: Promise<ScriptedServer> | undefined
async function answering(input: Buffer, headers?: Readonly<Record<string, string>>): Promise<string> {
  running ??= startScriptedServer()
  const server = await running
  const end = input.indexOf(10)
  const status = Number(input.toString('latin1', 0, Math.max(0, end)))
  server.answer(status >= 200 && status < 600 ? Math.trunc(status) : 200, input.subarray(end + 1), headers)
  return server.url
}
async function close(): Promise<void> {
  const server = await running
  running = undefined
  await server?.close()
}

const now = (): number => Date.UTC(2026, 10, 20)
const smoke = 24
const errorFrom = readErrorsOf('one', maskedErrors)()
const subscribing = {
  query: 'subscription { a }',
  operationName: undefined,
  variables: {},
  lastEventId: undefined,
}

/** Resolves with how the events of a connection ended. */
function endOf(connect: (listener: ConnectionListener) => EventConnection): Promise<ConnectionEnd> {
  return new Promise((resolve) => {
    connect({ opened: () => {}, event: () => {}, retryMs: () => {}, ended: resolve })
  })
}

function checkEnd(end: ConnectionEnd): void {
  if (end.kind === 'failed') allTyped([end.error])
}

let sockets: WebSocketServer | undefined
let messages: readonly string[] = []
async function socketsUrl(): Promise<string> {
  if (sockets === undefined) {
    sockets = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: () => 'graphql-transport-ws',
    })
    sockets.on('connection', (socket) => {
      for (const message of messages) socket.send(message)
      socket.close(messages.length % 2 === 0 ? 1000 : 4400)
    })
    await once(sockets, 'listening')
  }
  return `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`
}

export const targets = targetsOf(import.meta.url, [
  {
    name: 'introspection-answer',
    smoke,
    covers: ['gateway/auth/authenticate/introspection.ts'],
    seeds: [
      '200\n{"active":true,"sub":"demo","scope":"a b","exp":1795206067,"aud":["graph"],"cnf":{"jkt":"x"}}',
      '200\n{"active":false}',
      '401\n{"error":"invalid_client"}',
    ],
    allows: isTyped,
    async run(input) {
      const introspection = createIntrospection(
        {
          url: `${await answering(input)}/introspect`,
          ...{ clientId: 'gateway', proof: { by: 'basic', secret: 'secret' }, cacheMs: 1 },
        },
        now,
      )
      try {
        await introspection.claims('token')
      } finally {
        await introspection.close()
      }
    },
    close,
  },
  {
    name: 'token-answer',
    smoke,
    covers: ['subgraphs/kit/credentials/token-endpoint.ts'],
    seeds: ['200\n{"access_token":"abc","expires_in":3600}', '400\n{"error":"invalid_grant"}'],
    allows: (error) => error instanceof Error && error.message.startsWith('the token server'),
    async run(input) {
      const endpoint = createTokenEndpoint(new URL(`${await answering(input)}/token`), {
        perCaller: true,
        now,
      })
      try {
        await endpoint.fetch(new URLSearchParams({ grant_type: 'client_credentials' }))
      } finally {
        await endpoint.close()
      }
    },
    close,
  },
  {
    name: 'key-set',
    smoke,
    covers: ['gateway/auth/authenticate/key-set.ts'],
    seeds: [
      '200\n{"keys":[{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}',
      '200\n{"keys":[{"kty":"oct","k":"AAAA"},{"kty":"RSA","n":"AQAB","e":"AQAB","use":"sig"}]}',
    ],
    allows: (error) => isTyped(error) || error instanceof errors.JOSEError,
    async run(input) {
      const keys = new KeySet({ url: `${await answering(input)}/jwks` })
      try {
        await keys.key({ alg: 'ES256', kid: 'a' }, { payload: '', signature: '' })
      } finally {
        await keys.close()
      }
    },
    close,
  },
  {
    name: 'coprocessor-http',
    smoke,
    covers: ['gateway/hooks/coprocessor', 'shared/http/dispatch-request.ts'],
    seeds: ['200\n{"version":1,"control":"continue","headers":{"x-a":"b"}}', '500\n{}', '200\nnull'],
    allows: (error) => error instanceof CoprocessorError,
    async run(input) {
      const url = await answering(input)
      const client = createCoprocessorClient({
        url,
        timeoutMs: 5000,
        maxBytes: 10_000,
        connections: 1,
        headers: [],
      })
      try {
        await client.ask({ version: 1, stage: 'request' })
      } finally {
        await client.close()
      }
    },
    close,
  },
  {
    name: 'subgraph-sse',
    smoke,
    covers: ['engine/subgraphs/events'],
    seeds: [
      '200\nevent: next\ndata: {"data":{"a":1}}\nid: 1\n\nevent: complete\ndata\n\n',
      '200\n: ping\n\nretry: 100\nevent: next\ndata: {"errors":[{"message":"no"}]}\n\n',
      '200\nevent: next\ndata: {\n\n',
    ],
    async run(input) {
      const url = await answering(input, { 'content-type': 'text/event-stream' })
      const client = createHttpClient(url, { connections: 1, connectTimeoutMs: 5000 })
      const options = { name: 'one', client, path: '/graphql', mostBytes: 2000, idleMs: 5000, errorFrom }
      const sent = { body: '{}', headers: {}, lastEventId: undefined }
      checkEnd(await endOf((listener) => connectSse(options, sent, listener)))
      await client.close()
    },
    close,
  },
  {
    name: 'subgraph-websocket',
    smoke,
    covers: ['engine/subgraphs/events'],
    seeds: [
      '{"type":"connection_ack"}\n{"id":"1","type":"next","payload":{"data":{"a":1}}}\n{"id":"1","type":"complete"}',
      '{"type":"connection_ack","payload":{}}\n{"id":"1","type":"error","payload":[{"message":"no"}]}\n{"type":"ping"}',
      '{"type":"pong"}\n{"type":"next"}',
    ],
    /** One message per line. */
    async run(input) {
      messages = input.toString('utf8').split('\n')
      const options = {
        ...{ name: 'one', url: await socketsUrl(), mostBytes: 2000, ackMs: 5000, pingMs: 5000 },
        ...{ tls: undefined, errorFrom },
      }
      const sent = { ...subscribing, headers: {}, payload: {} }
      checkEnd(await endOf((listener) => new SubgraphWebSocket(options, sent, listener)))
    },
    async close() {
      for (const socket of sockets?.clients ?? []) socket.terminate()
      sockets?.close()
      sockets = undefined
    },
  },
])
