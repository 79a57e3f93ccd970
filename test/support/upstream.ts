/** The upstream client over a misbehaving server, for tests of the client itself. */
import type { GraphQLError } from 'graphql'
import type { UpstreamCall, UpstreamEvent } from '../../shared/upstream.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../../subgraphs/kit/rest-client/index.ts'
import { type FaultyServer, type Script, startFaultyServer } from './faulty-server.ts'

export interface Bench extends AsyncDisposable {
  readonly server: FaultyServer
  readonly upstream: Upstream
  readonly events: UpstreamEvent[]
}

/** Server and client; the client's service is called `videos` and reads failures by status alone. */
export async function startBench(script?: Script, options: Partial<UpstreamOptions> = {}): Promise<Bench> {
  const server = await startFaultyServer(script)
  const events: UpstreamEvent[] = []
  const upstream = createUpstream({
    service: 'videos',
    baseUrl: server.url,
    credential: { kind: 'none' },
    failure: () => undefined,
    observe: (event) => events.push(event),
    random: () => 0,
    ...options,
  })
  return {
    server,
    upstream,
    events,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await upstream.close()
    },
  }
}

export const read = (path = '/thing', more: Partial<UpstreamCall> = {}): UpstreamCall => ({
  operation: 'things.get',
  method: 'GET',
  path,
  safe: true,
  units: 1,
  ...more,
})

export const write = (more: Partial<UpstreamCall> = {}): UpstreamCall => ({
  operation: 'things.insert',
  method: 'POST',
  path: '/things',
  body: '{"name":"new"}',
  safe: false,
  units: 50,
  ...more,
})

/** The error that a call rejects with. */
export async function errorOf(call: Promise<unknown>): Promise<GraphQLError> {
  try {
    await call
  } catch (error) {
    return error as GraphQLError
  }
  throw new Error('the call was answered')
}
