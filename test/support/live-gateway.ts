/** A gateway over the graph with subscriptions, with tokens for it and a proxy whose connections a test can cut. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { type Gateway, type ReloadableOptions, startGateway } from '../../gateway/index.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { configFrom } from './graph.ts'
import { createLiveGraph, type LiveGraph } from './live-graph.ts'

const secret = 'a secret of thirty-two characters'

export interface LiveGateway extends AsyncDisposable {
  readonly graph: LiveGraph
  readonly gateway: Gateway
  readonly url: string
  readonly wsUrl: string
  readonly log: readonly string[]
  token(scope: string, options?: { readonly subject?: string; readonly seconds?: number }): Promise<string>
  /** The value of a metric; 0 if it is not there. */
  metric(name: string): Promise<number>
  /** Goes between client and gateway. */
  proxy(): Promise<CuttableProxy>
}

export interface CuttableProxy extends AsyncDisposable {
  readonly url: string
  readonly wsUrl: string
  readonly connections: number
  cut(): void
}

export interface LiveGatewayOptions extends Partial<ReloadableOptions> {
  readonly env?: Readonly<Record<string, string>>
  /** The sections of a configuration file. */
  readonly file?: Readonly<Record<string, unknown>> | undefined
  readonly graph?: LiveGraph
}

export async function startLiveGateway({
  env = {},
  file,
  graph = createLiveGraph(),
  ...options
}: LiveGatewayOptions = {}): Promise<LiveGateway> {
  const log: string[] = []
  const folder = file === undefined ? undefined : mkdtempSync(join(tmpdir(), 'tessera-live-'))
  if (folder !== undefined) writeFileSync(join(folder, 'tessera.json'), JSON.stringify(file))
  const config = configFrom({
    TESSERA_JWT_SECRET: secret,
    TESSERA_EXPLORER: 'off',
    ...(folder === undefined ? {} : { TESSERA_CONFIG: join(folder, 'tessera.json') }),
    ...env,
  })
  const gateway = await startGateway({
    config,
    supergraph: graph.supergraph,
    transports: graph.transports,
    log: createLogger({ level: 'info', destination: { write: (line: string) => void log.push(line) } }),
    ...options,
  })
  return {
    graph,
    gateway,
    url: `${gateway.url}/graphql`,
    wsUrl: `${gateway.url.replace('http', 'ws')}/graphql`,
    log,
    token: (scope, { subject = 'demo', seconds = 3600 } = {}) =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(new TextEncoder().encode(secret)),
    async metric(name) {
      const text = await gateway.metrics.text()
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return line === undefined ? 0 : Number(line.slice(name.length + 1))
    },
    proxy: () => startProxy(Number(new URL(gateway.url).port)),
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startProxy(port: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect({ port, host: '127.0.0.1' })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://${at}`,
    wsUrl: `ws://${at}`,
    get connections() {
      return sockets.size / 2
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
    },
  }
}
