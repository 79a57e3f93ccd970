/** A subgraph service that speaks frames, and a transport to it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLFieldResolver, parse } from 'graphql'
import { createGatewayRequest, type GatewayRequest, type GatewayRequestInit } from '../../engine/request.ts'
import { createHttpTransport, type HttpTransportOptions } from '../../engine/subgraphs/index.ts'
import { createSealing, framesProtocol, nonceHeader } from '../../fast/frames/format/index.ts'
import { openFrames, serveFrames } from '../../fast/frames/index.ts'
import { type SubgraphServiceOptions, startSubgraphService } from '../../gateway/hosts/subgraph.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { Metrics } from '../../gateway/telemetry/metrics/index.ts'
import { remoteHeaders } from '../../gateway/transports/remote-subgraph.ts'
import { createSigner, signatureHeader } from '../../shared/http/signature.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { configFrom } from './graph.ts'
import { subgraphOperation } from './subgraph-operation.ts'
import { longestWaitMs } from './wait.ts'

export const secret = 'a secret of gateway and service'
export type Resolver = GraphQLFieldResolver<unknown, { request: SubgraphRequest }>

/** A connection in frames to the service, upgraded by hand; `sealOf` makes the seal of a holder of this secret. */
export async function upgradedSocket(url: string) {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  const signature = createSigner(secret)({
    ...{ method: 'GET', path: pathname, audience: 'one', body: '' },
    header: () => undefined,
  })
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: upgrade\r\nupgrade: ${framesProtocol}\r\n${signatureHeader}: ${signature}\r\n\r\n`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  const nonce = new RegExp(`${nonceHeader}: (\\S+)`).exec(first.toString('latin1'))?.[1] ?? ''
  return { socket, sealOf: (key: string) => createSealing(key)(signature, nonce) }
}

/** A service with these fields, and a transport to it that counts how it sends. */
export async function startFramedService(
  resolvers: Record<string, Resolver>,
  given: {
    service?: Pick<Partial<SubgraphServiceOptions>, 'frames'>
    /** Settings of the service. */
    env?: Readonly<Record<string, string>>
    transport?: Partial<HttpTransportOptions>
    secret?: string | undefined
  } = {},
) {
  const typeDefs = parse(`
    type Query { echo(text: String): String slow: String long(times: Int): [String!] required: String! header(name: String!): String }
    type Mutation { write: String }`)
  const schema = buildSubgraphSchema([
    {
      typeDefs,
      resolvers: {
        Query: {
          echo: (_: unknown, { text }: { text: string }) => text,
          long: (_: unknown, { times }: { times: number }) =>
            Array.from({ length: times }, () => 'ä'.repeat(1000)),
          header: (_: unknown, { name }: { name: string }, { request }: { request: SubgraphRequest }) =>
            request.header(name),
          ...(resolvers.slow === undefined ? {} : { slow: resolvers.slow }),
        },
        Mutation: resolvers.write === undefined ? {} : { write: resolvers.write },
      },
    },
  ])
  const subgraph: Subgraph = {
    name: 'one',
    typeDefs,
    schema,
    createContext: (request) => ({ request }),
    close: () => Promise.resolve(),
  }
  let metrics = new Metrics()
  const lines: string[] = []
  const config = configFrom({
    ...{ TESSERA_SUBGRAPH_SECRET: secret, TESSERA_REQUEST_TIMEOUT_MS: String(longestWaitMs) },
    ...given.env,
  })
  const serve = (port = 0) => {
    metrics = new Metrics()
    return startSubgraphService({
      subgraph,
      config,
      port,
      metrics,
      log: createLogger({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } }),
      frames: serveFrames,
      ...given.service,
    })
  }
  let service = await serve()
  const { url } = service
  const { transport, prepare, sent } = framedTransport(url, given.transport, given.secret)
  const echo = prepare('query ($text: String) { echo(text: $text) }')
  return {
    url,
    sent,
    lines,
    transport,
    prepare,
    asking,
    echo: async (text: string) => (await echo({ text }, asking())).data,
    /** Asks until it is asked in frames. */
    async connected() {
      await until(async () => {
        await echo({ text: 'connected' }, asking())
        return sent.at(-1) === 'frames'
      })
      sent.length = 0
    },
    connections: async () => Number(/tessera_frames_connections (\d+)/.exec(await metrics.text())?.[1]),
    stop: (graceMs: number) => service.stop(graceMs),
    async again() {
      service = await serve(Number(new URL(url).port))
    },
    async [Symbol.asyncDispose]() {
      await transport.close()
      await service.stop(100)
    },
  }
}

/** The gateway's way to a service at an address, by HTTP and in frames, and by which of them each request went. */
export function framedTransport(
  url: string,
  given: Partial<HttpTransportOptions> = {},
  ownSecret: string = secret,
) {
  const sent: string[] = []
  const transport = createHttpTransport({
    name: 'one',
    url,
    headers: remoteHeaders({
      ...{ name: 'one', url, secret: ownSecret, token: true },
      ...{ assertion: undefined, traces: undefined, forwarding: undefined },
    }),
    hashes: true,
    passErrors: true,
    frames: { open: openFrames, secret: ownSecret },
    sent: (protocol) => sent.push(protocol),
    ...given,
  })
  const prepare = (text: string) => transport.prepare(subgraphOperation(text))
  return { transport, prepare, sent }
}

export const asking = (init: Partial<GatewayRequestInit> = {}): GatewayRequest =>
  createGatewayRequest({
    id: 'test',
    deadline: performance.now() + longestWaitMs,
    header: () => undefined,
    ...init,
  })

export const until = async (check: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5))
}
