/** What a gateway is made from. */
import type { Transport } from '../engine/subgraphs/index.ts'
import type { Example } from '../explorer/examples/example.ts'
import type { MintToken } from '../explorer/index.ts'
import type { ServiceName } from '../subgraphs/index.ts'
import type { UpstreamTuning } from '../subgraphs/kit/rest-client/index.ts'
import type { Authenticator } from './auth/authenticate/index.ts'
import type { PolicyHook } from './auth/authorize/index.ts'
import type { Config } from './config/index.ts'
import type { FastParts } from './fast.ts'
import type { Hooks } from './hooks/index.ts'
import type { ReadingResult, ReloadSource } from './reload/source.ts'
import type { ServiceState } from './telemetry/health.ts'
import type { Logger } from './telemetry/log.ts'
import type { ProcessUsage } from './telemetry/usage/index.ts'

/** What a gateway needs: its configuration, and whatever a program gives instead of what that names. */
export interface GatewayOptions {
  /** From `readConfig`. */
  readonly config: Config
  /** Where services are reached, if the configuration does not say it: the sandbox, for instance. */
  readonly serviceUrls?: Readonly<Partial<Record<ServiceName, string>>> | undefined
  /** Another supergraph, whose subgraphs are all remote; ours by default. */
  readonly supergraph?: string | undefined
  /** The text of the manifest of trusted operations, instead of the file that the configuration names. */
  readonly manifest?: string | undefined
  /**
   * How subgraphs are reached, by name; those that are not named over HTTP, at the supergraph's address. They are closed
   * with the last gateway or handler that uses them.
   */
  readonly transports?: ReadonlyMap<string, Transport> | undefined
  /** Checks tokens instead of the configured key: the sandbox's own. */
  readonly authenticator?: Authenticator | undefined
  /** Makes tokens for the explorer page; only if every service is the sandbox. */
  readonly mintToken?: MintToken | undefined
  /** Operations that the explorer page offers; made from the schema without it. `now`: milliseconds since 1970. */
  readonly examples?: ((now: number) => readonly Example[]) | undefined
  /** Answers which policies a caller meets (`@policy`); without it every policy is refused. */
  readonly policies?: PolicyHook | undefined
  /** Hooks at the stages of each request, called before those of TESSERA_HOOKS. */
  readonly hooks?: Hooks | undefined
  /** Those of the file that TESSERA_HOOKS names, loaded (`loadHooks`). */
  readonly fileHooks?: Hooks | undefined
  /** How each service is called, if that is not as usual; on top of the configuration. */
  readonly tuning?: Readonly<Partial<Record<ServiceName, UpstreamTuning>>> | undefined
  /** The code that exists only for speed; all of it by default, and none with `{}`. */
  readonly fast?: FastParts | undefined
  /** From `createLogger`. `startGateway` writes to standard output without it, and functions without a server write nothing. */
  readonly log?: Logger | undefined
  /** What this process has in common with others that serve the same port. */
  readonly shared?: Shared | undefined
}

/** What several processes that serve one port have in common. What they keep together is in Redis. */
export interface Shared {
  /** Seals upload addresses, if the configuration names no secret. */
  readonly uploadSecret: string
  /** The metrics of all, as one scrape. */
  metrics(): Promise<string>
  /** What each of them was asked for, and some of those that have ended. */
  usage(): Promise<readonly ProcessUsage[]>
  /** Nothing is under way any more, and the process will end. */
  drained(): Promise<void>
  /** The services as all have met them, and how many processes serve. */
  health(): Promise<SharedHealth>
}

export interface SharedHealth {
  readonly services: readonly ServiceState[]
  /** Undefined if they cannot be asked now. */
  readonly workers: { readonly wanted: number; readonly ready: number } | undefined
}

/** What a gateway is made from that can be reloaded. */
export interface ReloadableOptions extends GatewayOptions {
  /** Reads configuration and supergraph again when a reload is asked for. Never rejects. */
  readonly reread?: (() => Promise<ReadingResult>) | undefined
  /** Where supergraph and manifest come from (`createReloadSource`), for log, metrics and health. */
  readonly sources?: Pick<ReloadSource, 'attach' | 'state'> | undefined
}
