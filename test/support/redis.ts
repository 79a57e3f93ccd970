/** A real Redis on a loopback port, for tests; says what is skipped if there is none. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { lastingPort } from './port.ts'
import { canTest, isOnPath } from './program-on-path.ts'
import { temporaryFolder } from './temporary.ts'
import { longestWaitMs } from './wait.ts'

export interface RedisServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Ends it as a crash would; `start` brings it back on the same port with what it had written. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Asks it by `redis-cli`; resolves to what that prints. */
  command(...words: readonly string[]): Promise<string>
}

export const withRedis = (what: string): boolean =>
  canTest(what, 'redis-server', isOnPath('redis-server'), `Debian's package is "redis-server"`)

/**
 * The messages of a log that do not say in turn that Redis is away and that it is back. If the machine is busy, Redis
 * may be late, which counts as away, more often than a test has it away.
 */
export function outOfTurn(messages: readonly string[], away: string, back: string): readonly string[] {
  return messages.filter((message, at) => message !== (at % 2 === 0 ? away : back))
}

/** The messages of a log's lines. */
export const messagesOf = (lines: readonly string[]): string[] => lines.map((line) => JSON.parse(line).msg)

/** Resolves once it takes connections. Where it ends instead, the error has what it wrote last. */
async function untilReady(child: ChildProcess): Promise<void> {
  let written = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      written += text
      if (written.includes('Ready to accept connections')) resolve()
      // Only after it was looked for: a replica writes more with it than is kept.
      written = written.slice(-2000)
    })
    child.once('error', reject)
    // Its output has been read whole by then.
    child.once('close', (code) => reject(new Error(`redis-server ended with ${code}:\n${written}`)))
  })
}

export interface RedisSettings {
  /** The port of the server that it copies. */
  readonly replicaOf?: number
  /** More arguments of redis-server. */
  readonly settings?: readonly string[]
}

export async function startRedis({ replicaOf, settings = [] }: RedisSettings = {}): Promise<RedisServer> {
  const port = await lastingPort()
  const folder = temporaryFolder()
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--save',
      '',
      // A replica is there at once, rather than after five seconds.
      '--repl-diskless-sync-delay',
      '0',
      ...(replicaOf === undefined ? [] : ['--replicaof', `127.0.0.1 ${replicaOf}`]),
      ...settings,
    ]
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    child = started
    await untilReady(started)
  }
  const stop = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await ended
  }
  const command = async (...words: readonly string[]): Promise<string> => {
    const asked = promisify(execFile)('redis-cli', ['-p', String(port), ...words], { timeout: longestWaitMs })
    return (await asked).stdout
  }
  await start()
  return { url: `redis://127.0.0.1:${port}`, port, start, stop, command, [Symbol.asyncDispose]: stop }
}

/** The address at which clients of the server come by the proxy. */
export const urlThrough = ({ url, port }: RedisServer, proxy: { readonly port: number }): string =>
  url.replace(String(port), String(proxy.port))

export interface RedisCluster extends AsyncDisposable {
  readonly urls: readonly string[]
  /** Ends a node as a crash would; `start` brings it back on the same port, with its slots and without its keys. */
  stop(node: number): Promise<void>
  start(node: number): Promise<void>
}

/** Three nodes without replicas, each with a third of the slots. Now and then nodes do not meet: then others are started. */
export async function startRedisCluster(): Promise<RedisCluster> {
  for (let attempt = 1; ; attempt++) {
    const nodes = await startClusterNodes()
    const addresses = nodes.ports.map((port) => `127.0.0.1:${port}`)
    const made = spawnSync(
      'redis-cli',
      ['--cluster', 'create', ...addresses, '--cluster-replicas', '0', '--cluster-yes'],
      { encoding: 'utf8', timeout: 60_000 },
    )
    if (made.status === 0)
      return {
        urls: addresses.map((address) => `redis://${address}`),
        stop: nodes.stop,
        start: nodes.start,
        [Symbol.asyncDispose]: nodes.stopAll,
      }
    await nodes.stopAll()
    if (attempt === 3) throw new Error(`no cluster: ${made.stdout}${made.stderr}`)
  }
}

interface ClusterNodes {
  readonly ports: readonly number[]
  start(node: number): Promise<void>
  stop(node: number): Promise<void>
  stopAll(): Promise<void>
}

async function startClusterNodes(): Promise<ClusterNodes> {
  const ports: number[] = []
  const settings: string[][] = []
  const children: (ChildProcess | undefined)[] = []
  const start = async (node: number): Promise<void> => {
    const child = spawn('redis-server', settings[node] ?? [], { stdio: ['ignore', 'pipe', 'ignore'] })
    children[node] = child
    await untilReady(child)
  }
  const stop = async (node: number): Promise<void> => {
    const child = children[node]
    children[node] = undefined
    if (child === undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  for (let node = 0; node < 3; node++) {
    const port = await lastingPort()
    const setting = {
      port,
      bind: '127.0.0.1',
      dir: temporaryFolder(),
      save: '',
      'cluster-enabled': 'yes',
      'cluster-port': await lastingPort(),
    }
    ports.push(port)
    settings.push(Object.entries(setting).flatMap(([name, value]) => [`--${name}`, String(value)]))
    await start(node)
  }
  return {
    ports,
    start,
    stop,
    async stopAll() {
      for (const node of children.keys()) await stop(node)
    },
  }
}
