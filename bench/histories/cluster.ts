/**
 * The environment of a history: gateways as processes, a Redis with a replica, the services in this process, and a
 * proxy on every connection between two of them.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { type RunningProcess, startTessera } from '../../test/support/process.ts'
import { type RedisServer, startRedis } from '../../test/support/redis.ts'
import { startProxy, type TcpProxy } from '../../test/support/tcp-proxy.ts'

export interface GatewayNode {
  readonly number: number
  /** The address for clients. */
  readonly url: string
  readonly toClients: TcpProxy
  readonly toRedis: TcpProxy
  readonly toServices: TcpProxy
  /** How far its clock is ahead, in milliseconds. */
  setClock(ahead: number): void
  kill(): Promise<void>
  start(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  readonly running: RunningProcess | undefined
}

export interface Cluster extends AsyncDisposable {
  readonly gateways: readonly GatewayNode[]
  readonly sandbox: Sandbox
  readonly redis: RedisPair
}

/** Two servers, one of which is the primary to which the proxies of all gateways lead. */
export interface RedisPair {
  readonly primary: RedisServer
  /** The primary dies, and the replica becomes the primary. The dead server returns as a replica. */
  failOver(awayMs: number): Promise<void>
  /** They change roles while both run. Connections to the old primary stay open. */
  changePlaces(): Promise<void>
  /** The primary dies, and returns with what it had written to disk. */
  restart(awayMs: number): Promise<void>
}

export interface ClusterOptions {
  readonly gateways: number
  readonly limit: number
  readonly secret: string
  /** Further environment variables of the gateways. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A fault in the gateways' source, by its name in `mutants.ts`. */
  readonly mutant?: string | undefined
  /** If it is aborted before the gateways start, none is started. */
  readonly signal?: AbortSignal | undefined
}

export const upstreamTimeoutMs = 1000
export const settleMs = 3000

const clock = new URL('clock.js', import.meta.url).href
const injectMutant = new URL('inject-mutant.ts', import.meta.url).href
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { gateways, limit, secret, mutant } = options
  const env = {
    NODE_OPTIONS: `--import=${clock}${mutant === undefined ? '' : ` --import=${injectMutant}`}`,
    ...(mutant === undefined ? {} : { HISTORIES_MUTANT: mutant }),
    ...options.env,
  }
  const stack = new AsyncDisposableStack()
  try {
    const sandbox = stack.use(await startSandbox({ messages: { synthetic: true } }))
    const first = stack.use(await startRedis())
    const second = stack.use(await startRedis({ replicaOf: first.port }))
    await isCopied(first)
    const folder = mkdtempSync(join(tmpdir(), 'tessera-histories-'))
    const nodes: GatewayNode[] = []
    const redis = pairOf(first, second, nodes)
    for (let number = 0; number < gateways; number += 1) {
      const toRedis = stack.use(await startProxy(first.port))
      const toServices = stack.use(await startProxy(Number(new URL(sandbox.url).port)))
      const toClients = stack.use(await startProxy(1))
      const node = nodeOf({ number, toRedis, toServices, toClients, folder, limit, secret, env })
      stack.defer(() => node.kill())
      nodes.push(node)
    }
    options.signal?.throwIfAborted()
    await Promise.all(nodes.map((node) => node.start()))
    return {
      gateways: nodes,
      sandbox,
      redis,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

interface NodeParts {
  readonly number: number
  readonly toRedis: TcpProxy
  readonly toServices: TcpProxy
  readonly toClients: TcpProxy
  readonly folder: string
  readonly limit: number
  readonly secret: string
  readonly env: Readonly<Record<string, string>>
}

function nodeOf(parts: NodeParts): GatewayNode {
  const { number, toRedis, toServices, toClients, folder, limit, secret, env } = parts
  const clockFile = join(folder, `clock-${number}`)
  const configFile = join(folder, 'config.json')
  writeFileSync(configFile, JSON.stringify({ mcp: { changes: 'confirm' } }))
  writeFileSync(clockFile, '0')
  let running: RunningProcess | undefined
  return {
    number,
    url: `http://127.0.0.1:${toClients.port}`,
    toClients,
    toRedis,
    toServices,
    get running() {
      return running
    },
    setClock: (ahead) => writeFileSync(clockFile, String(ahead)),
    signal: (signal) => void running?.child.kill(signal),
    async kill() {
      const ending = running
      running = undefined
      // A stopped process is ended as well.
      await ending?.[Symbol.asyncDispose]()
    },
    async start() {
      const services = `http://127.0.0.1:${toServices.port}`
      const started = startTessera(['serve', '--port', '0'], {
        ...Object.fromEntries(
          ['VIDEOS', 'AGENTS', 'MESSAGES', 'METRICS'].map((name) => [`TESSERA_${name}_URL`, services]),
        ),
        HISTORIES_CLOCK_FILE: clockFile,
        TESSERA_JWT_SECRET: secret,
        TESSERA_UPLOAD_SECRET: `${secret}, and more of it for uploads`,
        TESSERA_REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
        TESSERA_REDIS_REPLICAS: '1',
        TESSERA_QUOTA_DAILY: String(limit),
        TESSERA_VIDEOS_CREDENTIAL: 'forward',
        TESSERA_UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs),
        TESSERA_REQUEST_TIMEOUT_MS: '4000',
        TESSERA_IDEMPOTENCY_SETTLE_MS: String(settleMs),
        TESSERA_LOG_LEVEL: 'warn',
        TESSERA_MCP: 'true',
        TESSERA_CONFIG: configFile,
        ...env,
      })
      running = started
      toClients.target = Number(new URL(await started.said('graph')).port)
    },
  }
}

function pairOf(first: RedisServer, second: RedisServer, nodes: readonly GatewayNode[]): RedisPair {
  let primary = first
  let replica = second
  const lead = (reset: boolean): void => {
    for (const { toRedis } of nodes) {
      toRedis.target = primary.port
      if (reset) toRedis.reset()
    }
  }
  return {
    get primary() {
      return primary
    },
    async failOver(awayMs) {
      await primary.stop()
      await wait(awayMs)
      await replica.command('REPLICAOF', 'NO', 'ONE')
      const dead = primary
      primary = replica
      replica = dead
      lead(true)
      await dead.start()
      await dead.command('REPLICAOF', '127.0.0.1', String(primary.port))
      await isCopied(primary)
    },
    async changePlaces() {
      await replica.command('REPLICAOF', 'NO', 'ONE')
      const old = primary
      primary = replica
      replica = old
      await old.command('REPLICAOF', '127.0.0.1', String(primary.port))
      lead(false)
      await isCopied(primary)
    },
    async restart(awayMs) {
      await primary.stop()
      await wait(awayMs)
      await primary.start()
      // It may have started as the replica of the other.
      await primary.command('REPLICAOF', 'NO', 'ONE')
      await isCopied(primary)
    },
  }
}

/** Resolves when a replica has all data of the server. Gives up after some seconds, because faults may prevent it. */
async function isCopied(server: RedisServer): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (/slave0:.*state=online/.test(await server.command('INFO', 'replication'))) return
    await wait(50)
  }
}
