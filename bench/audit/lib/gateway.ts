/** The gateway under audit: a process that is started by a command line and called over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, acceptedOn, answersFrom } from './delivery.ts'
import { audience, authorizationOf, issuer, keyId, secret } from './token.ts'
import type { Caller, Json, Road, ServedSubgraph } from './types.ts'

export interface Gateway {
  /** One response, assembled if it is incremental, or one for each event. */
  ask(
    by: Caller,
    query: string,
    variables: { readonly [name: string]: Json } | undefined,
    road: Road,
  ): Promise<readonly Answer[]>
  /** What it has printed. */
  output(): string
  close(): Promise<void>
}

export interface GatewayOptions {
  /**
   * Run by a shell. `{supergraph}` is replaced by the file of the supergraph, and `{port}` by the port to listen
   * on; AUDIT_SUPERGRAPH and AUDIT_PORT have the same values. AUDIT_JWT_SECRET, _KEY_ID, _ISSUER and _AUDIENCE are
   * for verifying tokens. AUDIT_SUBGRAPHS is a file for gateways that compose themselves: a JSON array of `{ name,
   * url, sdl }`.
   */
  readonly command: string
  readonly supergraph: string
  readonly subgraphs: readonly ServedSubgraph[]
  /** The path of GraphQL. The default is `/graphql`. */
  readonly path: string
  /** How long it may take until it responds. */
  readonly startMs: number
}

const answerMs = 20_000
const mostOutput = 20_000

const lowestPort = 16_384
const endOfPorts = 32_768

/**
 * A port below the kernel's range for connections and for servers that let it choose. Otherwise the kernel could
 * give it to another server while the gateway starts.
 */
async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const port = randomInt(lowestPort, endOfPorts)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false))
      server.listen(port, '127.0.0.1')
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  throw new Error(`no free port found from ${lowestPort} to ${endOfPorts - 1}`)
}

/** Ends the shell and the processes that it started. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It has ended already.
  }
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { command, supergraph, subgraphs, path, startMs } = options
  const folder = mkdtempSync(join(tmpdir(), 'authorization-audit-'))
  const file = join(folder, 'supergraph.graphql')
  writeFileSync(file, supergraph)
  const sources = join(folder, 'subgraphs.json')
  writeFileSync(sources, JSON.stringify(subgraphs))
  const port = await freePort()
  const child = spawn(command.replaceAll('{supergraph}', file).replaceAll('{port}', String(port)), {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      AUDIT_SUPERGRAPH: file,
      AUDIT_SUBGRAPHS: sources,
      AUDIT_PORT: String(port),
      AUDIT_JWT_SECRET: secret,
      AUDIT_JWT_KEY_ID: keyId,
      AUDIT_JWT_ISSUER: issuer,
      AUDIT_JWT_AUDIENCE: audience,
    },
  })
  let output = ''
  const heard = (text: unknown): void => {
    output = (output + String(text)).slice(-mostOutput)
  }
  child.stdout?.on('data', heard)
  child.stderr?.on('data', heard)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = `http://127.0.0.1:${port}${path}`

  async function ask(
    by: Caller,
    query: string,
    variables: { readonly [name: string]: Json } | undefined,
    road: Road,
  ): Promise<readonly Answer[]> {
    const authorization = authorizationOf(by)
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: acceptedOn(road),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(answerMs),
    })
    const type = response.headers.get('content-type') ?? ''
    return answersFrom(response.status, type, await response.text(), road)
  }

  const close = async (): Promise<void> => {
    end(child, 'SIGTERM')
    const timer = setTimeout(() => end(child, 'SIGKILL'), 5000)
    await ended
    clearTimeout(timer)
    rmSync(folder, { recursive: true, force: true })
  }

  const until = performance.now() + startMs
  for (;;) {
    const [answer] = await ask('anonymous', '{ __typename }', undefined, 'root').catch(() => [])
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    // Any JSON response is enough, because a gateway may refuse anonymous callers. If the gateway has ended, the
    // response is another server's.
    if (answer?.json !== undefined && !hasEnded) break
    if (hasEnded || performance.now() > until) {
      await close()
      throw new Error(`the gateway does not answer at ${url}:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { ask, output: () => output, close }
}
