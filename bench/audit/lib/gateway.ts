/** The gateway under audit: a process that is started by a command line, and asked over HTTP. */
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
  /** One answer, put together if it comes in pieces, or one for each event. */
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
   * Run by a shell. `{supergraph}` is a file with the supergraph, `{port}` if it has to listen; the same stand in
   * AUDIT_SUPERGRAPH and AUDIT_PORT, and what tokens are checked with in AUDIT_JWT_SECRET, _KEY_ID, _ISSUER and
   * _AUDIENCE. AUDIT_SUBGRAPHS is a file for those that compose by themselves: a JSON array of `{ name, url, sdl }`.
   */
  readonly command: string
  readonly supergraph: string
  readonly subgraphs: readonly ServedSubgraph[]
  /** Where GraphQL is served; `/graphql`. */
  readonly path: string
  /** How long it may take until it answers. */
  readonly startMs: number
}

const answerMs = 20_000
const mostOutput = 20_000

const lowestPort = 16_384
const endOfPorts = 32_768

/**
 * Of those below the kernel's usual range for connections and for servers that let it choose: what it gives away while
 * the gateway starts would have another server answer for it.
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

/** The shell and what it has started. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It has ended.
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
    // Any answer in JSON will do: it may refuse anonymous callers. Where the gateway has ended it is another server's.
    if (answer?.json !== undefined && !hasEnded) break
    if (hasEnded || performance.now() > until) {
      await close()
      throw new Error(`the gateway does not answer at ${url}:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { ask, output: () => output, close }
}
