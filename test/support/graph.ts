/**
 * The whole graph for a test: a sandbox, a gateway in front of it, and a way to ask. Everything listens on
 * port 0 and goes away with `await using`.
 */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import { mintForExplorer, mintSandboxToken, sandboxAuthenticator } from '../../gateway/cli/sandbox-token.ts'
import { type Config, readConfig } from '../../gateway/config/index.ts'
import { type FastParts, fastParts } from '../../gateway/fast.ts'
import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/index.ts'
import { createLogger } from '../../gateway/telemetry/log.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts'
import { forEachService, type ServiceName } from '../../subgraphs/index.ts'

/** Every scope that our graph knows. */
export const allScopes =
  'media.read media.owner media.upload media.write agents.read agents.write agents.detect tweet.read users.read like.read like.write metrics.read rules.read'

export interface GraphError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code: string; readonly [key: string]: unknown }
}

export interface GraphAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test looks at
  readonly data: any
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

export interface Graph extends AsyncDisposable {
  readonly gateway: Gateway
  readonly sandbox: Sandbox
  readonly url: string
  /** The log's lines so far. */
  readonly log: readonly string[]
  ask(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<GraphAnswer>
  /** Of the subject `demo` by default. */
  token(scope: string, subject?: string): Promise<string>
}

export interface GraphOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly sandbox?: SandboxOptions
  /** Services that are somewhere else. */
  readonly urls?: Readonly<Partial<Record<ServiceName, string>>>
  /** The environment that a reload of the gateway reads. */
  readonly reread?: (() => Readonly<Record<string, string>>) | undefined
  /** How services are called, if that is not as usual. */
  readonly tuning?: GatewayOptions['tuning']
  /** What is used of the code that exists only for speed; as the tests are run unless given. */
  readonly fast?: FastParts
}

/** The project `plain` (vitest.config.ts) runs tests of the graph a second time, without the code that exists only for speed. */
export const usualFastParts: FastParts = process.env.TESSERA_TEST_PLAIN === 'true' ? {} : fastParts

export function configFrom(env: Readonly<Record<string, string>>): Config {
  // Test, clients and services share one event loop with the gateway: how late it is says nothing of the gateway.
  const { config, faults } = readConfig({ PORT: '0', TESSERA_MAX_WAIT_MS: '0', ...env })
  if (config === undefined) throw new Error(faults.join('\n'))
  return config
}

export async function startGraph(options: GraphOptions = {}): Promise<Graph> {
  const sandbox = await startSandbox(options.sandbox)
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
  const config = configFrom(options.env ?? {})
  const log: string[] = []
  const authenticator =
    config.trustedIssuers.length === 0
      ? await sandboxAuthenticator(config.authorization.scopeAliases, { folder })
      : undefined
  const url = sandbox.url
  const gateway = await startGateway({
    config,
    serviceUrls: { ...forEachService(() => url), ...options.urls },
    authenticator,
    mintToken: authenticator === undefined ? undefined : mintForExplorer({ folder }),
    examples: options.urls === undefined ? sandboxExamples : undefined,
    tuning: options.tuning,
    reread: async () => ({
      config: configFrom(options.reread?.() ?? options.env ?? {}),
      supergraph: undefined,
    }),
    fast: options.fast ?? usualFastParts,
    log: createLogger({
      level: config.log.level,
      destination: { write: (line: string) => void log.push(line) },
    }),
  })
  const tokens = new Map<string, Promise<string>>()
  const token = (scope: string, subject = 'demo'): Promise<string> => {
    const name = `${subject} ${scope}`
    let minted = tokens.get(name)
    if (minted === undefined) {
      minted = mintSandboxToken({ scope, subject, expires: '1h' }, { folder })
      tokens.set(name, minted)
    }
    return minted
  }
  return {
    gateway,
    sandbox,
    url: `${gateway.url}/graphql`,
    log,
    token,
    async ask(
      query,
      variables = {},
      { scope = allScopes, headers = {}, operationName, signal, extensions } = {},
    ) {
      const response = await fetch(`${gateway.url}/graphql`, {
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
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await sandbox.close()
    },
  }
}

export async function answerFrom(response: Response): Promise<GraphAnswer> {
  const text = await response.text()
  let parsed: Partial<GraphAnswer> = {}
  try {
    parsed = JSON.parse(text)
  } catch {
    // An answer without JSON is looked at as text.
  }
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: parsed.data,
    errors: parsed.errors ?? [],
    extensions: parsed.extensions,
  }
}
