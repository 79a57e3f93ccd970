/**
 * Every way in which the product calls another server over HTTP, for tests of what all of them must have in common.
 * The server answers any of them with `good`, or with what is wrong.
 */
import { Readable } from 'node:stream'
import { createHttpTransport } from '../../engine/subgraphs/index.ts'
import { createIntrospection } from '../../gateway/auth/authenticate/introspection.ts'
import { fetchKeySet } from '../../gateway/auth/authenticate/key-set.ts'
import { post } from '../../gateway/cli/check/finding.ts'
import { createCoprocessorClient } from '../../gateway/hooks/coprocessor/client.ts'
import { createRemoteUploads } from '../../gateway/server/uploads.ts'
import { createSources, parsePlaces } from '../../gateway/sources/index.ts'
import { createTokenEndpoint } from '../../subgraphs/kit/credentials/token-endpoint.ts'
import { createUpstream } from '../../subgraphs/kit/rest-client/index.ts'
import { createRelay } from '../../subgraphs/videos/upload/relay.ts'
import { testGatewayRequest } from './federation.ts'
import { testRequest } from './request.ts'
import { noSourceSettings } from './sources.ts'
import { subgraphOperation } from './subgraph-operation.ts'
import { read } from './upstream.ts'

export interface HttpWay {
  readonly name: string
  /** What this way takes for a good answer. */
  readonly good: string
  /** The code of an answer that is no HTTP, where a client sees it. */
  readonly garbled?: string
  /** How it is asked when the test ends. Resolves with 'answered', or with the word for why not. */
  ask(url: string): Promise<string>
}

const answered = 'answered'

async function ended(ask: () => Promise<unknown>, close?: () => Promise<void>): Promise<string> {
  try {
    await ask()
    return answered
  } catch (error) {
    const code = error instanceof Error && 'extensions' in error ? error.extensions : undefined
    return String((code as { code?: unknown } | undefined)?.code ?? (error as Error).message)
  } finally {
    await close?.()
  }
}

const query = '{ a }'

export const httpWays: readonly HttpWay[] = [
  {
    name: 'a service',
    good: '{"a":1}',
    garbled: 'UPSTREAM_BAD_RESPONSE',
    ask(baseUrl) {
      const upstream = createUpstream({
        service: 'videos',
        baseUrl,
        credential: { kind: 'none' },
        failure: () => undefined,
        tuning: { retries: 0 },
      })
      return ended(
        () => upstream.send(read(), testRequest()),
        () => upstream.close(),
      )
    },
  },
  {
    name: 'a subgraph',
    good: '{"data":{"a":1}}',
    garbled: 'UPSTREAM_BAD_RESPONSE',
    ask(url) {
      const transport = createHttpTransport({ name: 'shop', url, timeoutMs: 20_000 })
      const send = transport.prepare({ ...subgraphOperation(query), kind: 'mutation' })
      return ended(
        async () => {
          const { errors } = await send({}, testGatewayRequest())
          if (errors?.[0] !== undefined) throw errors[0]
        },
        async () => transport.close?.(),
      )
    },
  },
  {
    name: 'a token endpoint',
    good: '{"access_token":"t"}',
    ask(url) {
      const endpoint = createTokenEndpoint(new URL(url), { now: Date.now })
      return ended(
        () => endpoint.fetch(new URLSearchParams()),
        () => endpoint.close(),
      )
    },
  },
  {
    name: 'introspection',
    good: '{"active":true}',
    ask(url) {
      const proof = { by: 'basic', secret: 's' } as const
      const introspection = createIntrospection({ url, clientId: 'c', proof }, Date.now)
      return ended(
        () => introspection.claims('token'),
        () => introspection.close(),
      )
    },
  },
  { name: 'a key set', good: '{"keys":[]}', ask: (url) => ended(() => fetchKeySet(url)) },
  {
    name: 'a coprocessor',
    good: '{}',
    ask(url) {
      const limits = { timeoutMs: 20_000, maxBytes: 100_000, connections: 1 }
      const client = createCoprocessorClient({ url, ...limits, headers: [] })
      return ended(
        () => client.ask({}),
        () => client.close(),
      )
    },
  },
  {
    name: 'the address of a supergraph',
    good: 'type Query { a: Int }',
    ask(url) {
      const sources = createSources({
        what: 'supergraph',
        places: parsePlaces(url),
        ...noSourceSettings,
        sentence: (source, reason) => `${source}: ${reason}`,
        signal: new AbortController().signal,
      })
      return ended(() => sources.read())
    },
  },
  {
    name: 'an upload to a service',
    good: '{"id":"v"}',
    garbled: 'UPSTREAM_BAD_RESPONSE',
    ask(baseUrl) {
      const relay = createRelay({ baseUrl, credential: { kind: 'none' } })
      const session = { address: `${baseUrl}/session`, contentType: 'video/mp4', contentLength: 4, proof: [] }
      const body = Readable.from([Buffer.from('film')])
      return ended(
        () => relay.send(session, { kind: 'bytes', first: 0, last: 3 }, body, testRequest()),
        () => relay.close(),
      )
    },
  },
  {
    name: 'an upload to a subgraph',
    good: '{"id":"v"}',
    garbled: 'UPSTREAM_BAD_RESPONSE',
    ask(url) {
      const uploads = createRemoteUploads({ subgraph: 'videos', url, secret: undefined })
      const headers = { 'content-type': 'video/mp4', 'content-length': '4' }
      const exchange = { token: 't', headers, body: Readable.from([Buffer.from('film')]) }
      return ended(
        () => uploads.handler(exchange, testRequest()),
        () => uploads.close(),
      )
    },
  },
  { name: 'a look of the command line', good: '{}', ask: (url) => ended(() => post(url, '{}', {}, 20_000)) },
]
