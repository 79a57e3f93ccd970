/**
 * `tessera-graph/sandbox`: the stand-ins of the four services, and the graph over them, for tests of what uses them.
 *
 * `startGraph` is what `tessera serve` is with nothing configured, on a free port, with data of its own: several run
 * beside each other, and nothing is kept on the disk. `startSandbox` is the services alone.
 *
 * @example
 * ```ts
 * import { startGraph } from 'tessera-graph/sandbox'
 *
 * await using graph = await startGraph()
 * const response = await fetch(graph.url, {
 *   method: 'POST',
 *   headers: { 'content-type': 'application/json', authorization: `Bearer ${await graph.token('metrics.read')}` },
 *   body: JSON.stringify({ query: '{ metrics { query(query: "sum(up)") { series { sample { value } } } } }' }),
 * })
 * graph.sandbox.fail({ kind: 'status', service: 'metrics', status: 503 })
 * ```
 */
import { randomBytes } from 'node:crypto'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts'
import { createSandboxAuthenticator, signSandboxToken } from '../auth/sandbox-tokens.ts'
import { isNothingReal, settings as known, ownSettingsOf, readConfig } from '../config/index.ts'
import { type Gateway, startGateway } from '../index.ts'
import { didYouMean } from '../settings/did-you-mean.ts'
import { createLogger, type Logger } from '../telemetry/log.ts'

export {
  type Fault,
  type FaultKind,
  type JournalEntry,
  type ListedSample,
  listSamples,
  type Sandbox,
  type SandboxOptions,
  type ServiceListing,
  startSandbox,
  type WriteRecord,
} from '../../sandbox/index.ts'

/** How `startGraph` starts. All options may be left out. */
export interface GraphOptions {
  /** The port of the graph on 127.0.0.1, which precedes the setting `PORT`; a free port by default. */
  readonly port?: number | undefined
  /**
   * Settings by the names of `docs/configuration.md`, such as `{ TESSERA_QUOTA_DAILY: '1000' }`. The environment of
   * the process is not read. An unknown setting is refused, unless `TESSERA_CONFIG` names a file, which may insert it.
   * So is a setting that names a real service, a subgraph or a supergraph.
   */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** The behaviour of the services: their quota, their clock, whether they require tokens. */
  readonly sandbox?: SandboxOptions | undefined
  /** The stream to which the graph writes its log; none by default. */
  readonly log?: Logger | undefined
}

/** A running graph over its own sandbox. */
export interface Graph extends AsyncDisposable {
  /** The address of the graph: `http://127.0.0.1:…/graphql`. */
  readonly url: string
  /** The services behind it: their journal, faults and changes. */
  readonly sandbox: Sandbox
  /** The gateway itself, for its metrics and its supergraph. */
  readonly gateway: Gateway
  /**
   * A bearer token that only this graph accepts, for an hour. `scope`: scopes, separated by spaces; `subject`: its
   * subject. Rejects if TESSERA_JWT_… settings name an issuer, whose tokens must be used then.
   */
  token(scope: string, subject?: string): Promise<string>
  /** Stops the graph and its services. `await using` does the same. */
  stop(): Promise<void>
}

/** Starts the graph over its own sandbox. Rejects with every fault of the settings, or of the options of the sandbox. */
export async function startGraph(options: GraphOptions = {}): Promise<Graph> {
  // Test, client and services share one event loop with the graph, so its delay says nothing about the graph.
  const settings: Record<string, string> = { TESSERA_MAX_WAIT_MS: '0', PORT: '0', ...options.settings }
  if (options.port !== undefined) settings.PORT = String(options.port)
  const { config, faults = [] } = readConfig(settings)
  const all = [...faults, ...unknownIn(settings)]
  if (config === undefined || all.length > 0) throw new Error(all.join('\n'))
  if (!isNothingReal(config))
    throw new Error(
      'startGraph is for tests: it accepts tokens of its own, so no setting may name a service, a subgraph or a supergraph',
    )
  const services = Object.keys(config.services)
  const sandbox = await startSandbox({
    settings: ownSettingsOf(config.services),
    ...options.sandbox,
  })
  const secret = randomBytes(32)
  const hasIssuer = config.trustedIssuers.length > 0
  const token = async (scope: string, subject?: string): Promise<string> => {
    if (hasIssuer) throw new Error('this graph accepts only tokens of its configured issuer')
    return signSandboxToken({ scope, subject }, secret)
  }
  let gateway: Gateway
  try {
    gateway = await startGateway({
      config,
      serviceUrls: Object.fromEntries(services.map((name) => [name, sandbox.url])),
      authenticator: hasIssuer
        ? undefined
        : createSandboxAuthenticator(secret, config.authorization.scopeAliases),
      mintToken: hasIssuer
        ? undefined
        : async (scope) => ({ token: await token(scope, 'explorer'), expiresIn: 3_600 }),
      log: options.log ?? createLogger({ level: 'silent' }),
    })
  } catch (error) {
    await sandbox.close()
    throw error
  }
  const stop = async (): Promise<void> => {
    await gateway.stop()
    await sandbox.close()
  }
  return { url: `${gateway.url}/graphql`, sandbox, gateway, token, stop, [Symbol.asyncDispose]: stop }
}

/** The environment has names of other programs, which `readConfig` must ignore. Here all names are for the graph. */
function unknownIn(settings: Readonly<Record<string, string>>): string[] {
  if (settings.TESSERA_CONFIG) return []
  const names = known.map(({ env }) => env)
  return Object.keys(settings)
    .filter((name) => !name.startsWith('TESSERA_') && !names.includes(name))
    .map((name) => `${name}: no such setting${didYouMean(name, names)}`)
}
