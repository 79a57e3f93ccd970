/**
 * A gateway for a test, in this process: in front of the whole graph over a sandbox, or of another supergraph. It
 * listens on port 0 and goes away with `await using`.
 */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import { mintForExplorer, mintSandboxToken, sandboxAuthenticator } from '../../gateway/cli/sandbox-token.ts'
import { type Config, readConfig } from '../../gateway/config/index.ts'
import { type FastParts, fastParts } from '../../gateway/fast.ts'
import { type Gateway, type ReloadableOptions, startGateway } from '../../gateway/index.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { forEachService, type ServiceName } from '../../subgraphs/index.ts'
import { temporaryFolder } from './temporary.ts'
import { signToken, tokenSecret } from './token.ts'

/** Every scope that our graph knows. */
export const allScopes =
  'media.read media.owner media.upload media.write agents.read agents.write agents.detect tweet.read users.read like.read like.write metrics.read rules.read'

export interface GraphError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code: string; readonly [key: string]: unknown }
}

/** What comes back, of which a test knows what it is. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare it
export type Json = any

export interface GraphAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Json
  readonly errors: readonly GraphError[]
  readonly extensions: Readonly<Record<string, unknown>> | undefined
}

export interface AskOptions {
  /** Scopes of the token; none is anonymous. All of them by default. */
  readonly scope?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly operationName?: string
  readonly signal?: AbortSignal
  readonly extensions?: unknown
}

/** Another supergraph than ours; its subgraphs are reached over HTTP unless they have a transport. */
export type OtherGraph = Required<Pick<ReloadableOptions, 'supergraph'>> &
  Pick<ReloadableOptions, 'transports'>

/** A gateway in front of `Behind`. */
export interface RunningGraph<Behind = OtherGraph> extends AsyncDisposable {
  /** What it stands in front of. */
  readonly graph: Behind
  readonly gateway: Gateway
  readonly url: string
  readonly wsUrl: string
  /** The log's lines so far. */
  readonly log: readonly string[]
  ask(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<GraphAnswer>
  /** Of the subject `demo`, good for an hour, by default. */
  token(scope: string, subject?: string, seconds?: number): Promise<string>
  /** The value of a metric; 0 if it is not there. */
  metric(name: string): Promise<number>
}

/** The whole graph over a sandbox. */
export interface Graph extends RunningGraph<undefined> {
  readonly sandbox: Sandbox
}

type Environment = Readonly<Record<string, string>>

/** What `startGateway` takes as well stands instead of what is usual here. */
export interface GraphOptions extends Partial<Omit<ReloadableOptions, 'config' | 'serviceUrls'>> {
  /** A function is called again by each reload. */
  readonly env?: Environment | (() => Environment)
  /** The sections of a configuration file. */
  readonly file?: Readonly<Record<string, unknown>> | undefined
  readonly sandbox?: SandboxOptions
  /** Services that are somewhere else. */
  readonly urls?: Readonly<Partial<Record<ServiceName, string>>>
}

/** The project `plain` (vitest.config.ts) runs tests of the graph a second time, without the code that exists only for speed. */
export const usualFastParts: FastParts = process.env.TESSERA_TEST_PLAIN === 'true' ? {} : fastParts

export function configFrom(env: Readonly<Record<string, string>>): Config {
  // Test, clients and services share one event loop with the gateway: how late it is says nothing of the gateway.
  const { config, faults } = readConfig({ PORT: '0', TESSERA_MAX_WAIT_MS: '0', ...env })
  if (config === undefined) throw new Error(faults.join('\n'))
  return config
}

/** In front of `graph`. The gateway checks tokens with `tokenSecret`, unless `env` says otherwise. */
export async function startGraph<Behind extends OtherGraph>(
  options: GraphOptions & { readonly graph: Behind },
): Promise<RunningGraph<Behind>>
/** In front of our graph over a sandbox. */
export async function startGraph(options?: GraphOptions): Promise<Graph>
export async function startGraph({
  env = {},
  file,
  sandbox: sandboxOptions,
  urls,
  graph,
  ...given
}: GraphOptions & { readonly graph?: OtherGraph } = {}): Promise<unknown> {
  const folder = temporaryFolder()
  const path = join(folder, 'tessera.json')
  if (file !== undefined) writeFileSync(path, JSON.stringify(file))
  const configOf = (): Config => {
    const own = typeof env === 'function' ? env() : env
    const hasKey = own.TESSERA_JWT_JWKS_URL !== undefined
    return configFrom({
      ...(graph === undefined ? {} : { TESSERA_EXPLORER: 'off' }),
      ...(graph === undefined || hasKey ? {} : { TESSERA_JWT_SECRET: tokenSecret }),
      ...(file === undefined ? {} : { TESSERA_CONFIG: path }),
      ...own,
    })
  }
  const config = configOf()
  const sandbox = graph === undefined ? await startSandbox(sandboxOptions) : undefined
  const log: string[] = []
  const gateway = await startGateway({
    config,
    ...(sandbox === undefined
      ? { supergraph: graph?.supergraph, transports: graph?.transports }
      : await overSandbox(sandbox, config, folder, urls)),
    reread: async () => ({ config: configOf(), supergraph: graph?.supergraph }),
    fast: usualFastParts,
    log: createLogger({
      level: config.log.level,
      destination: { write: (line: string) => void log.push(line) },
    }),
    ...given,
  })
  const url = `${gateway.url}/graphql`
  const tokens = new Map<string, Promise<string>>()
  const { secret } = config.jwt
  const token = (scope: string, subject = 'demo', seconds = 3600): Promise<string> => {
    const name = JSON.stringify([scope, subject, seconds])
    let minted = tokens.get(name)
    if (minted === undefined) {
      minted =
        secret === undefined
          ? mintSandboxToken({ scope, subject, expires: `${seconds}s` }, { folder })
          : signToken({ scope, sub: subject, exp: Math.floor(Date.now() / 1000) + seconds }, secret)
      tokens.set(name, minted)
    }
    return minted
  }
  return {
    graph,
    gateway,
    sandbox,
    url,
    wsUrl: url.replace('http', 'ws'),
    log,
    token,
    async ask(
      query: string,
      variables: Readonly<Record<string, unknown>> = {},
      { scope = allScopes, headers = {}, operationName, signal, extensions }: AskOptions = {},
    ) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json',
          ...(scope === null ? {} : { authorization: `Bearer ${await token(scope)}` }),
          ...headers,
        },
        body: JSON.stringify({ query, variables, operationName, extensions }),
        signal: signal ?? null,
      })
      return answerFrom(response)
    },
    async metric(name: string) {
      const text = await gateway.metrics.text()
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return line === undefined ? 0 : Number(line.slice(name.length + 1))
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await sandbox?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  } satisfies Omit<Graph, 'sandbox' | 'graph'> & { graph: unknown; sandbox: unknown }
}

/** What a gateway over a sandbox is made from. */
async function overSandbox(
  { url }: Sandbox,
  config: Config,
  folder: string,
  urls: GraphOptions['urls'],
): Promise<Partial<ReloadableOptions>> {
  const isSandbox = config.trustedIssuers.length === 0
  return {
    serviceUrls: { ...forEachService(() => url), ...urls },
    authenticator: isSandbox
      ? await sandboxAuthenticator(config.authorization.scopeAliases, { folder })
      : undefined,
    mintToken: isSandbox ? mintForExplorer({ folder }) : undefined,
    examples: urls === undefined ? sandboxExamples : undefined,
  }
}

export async function answerFrom(response: Response): Promise<GraphAnswer> {
  const text = await response.text()
  // An answer without JSON is looked at as text.
  const parsed = (parsedJson(text) ?? {}) as Partial<GraphAnswer>
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: parsed.data,
    errors: parsed.errors ?? [],
    extensions: parsed.extensions,
  }
}
