/**
 * The services behind a gateway as the configuration names them, with the sandbox instead of those that are not
 * configured. Except for the sandbox command, this is the only part of the product that knows the sandbox, which is
 * loaded only if it serves.
 */
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import { sendOnce } from '../../shared/http/client.ts'
import { completeResponse, reasonOf } from '../../shared/http/failure-reason.ts'
import { forEachService, type ServiceName, serviceNames } from '../../subgraphs/index.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { type Config, isAllSandbox, ownSettingsOf } from '../config/index.ts'
import type { ReloadableOptions } from '../options.ts'
import type { Reading } from '../reload/index.ts'
import { CommandError } from './command.ts'
import { mintForExplorer, sandboxAuthenticator } from './sandbox-token.ts'

export type SandboxedServices = Awaited<ReturnType<typeof startServices>>

/** The services whose subgraphs run in this process. */
export function calledHere({ subgraph }: Config): ServiceName[] {
  return serviceNames.filter((name) => !Object.hasOwn(subgraph.urls, name))
}

/** Credentials that reach no real service: the sandbox gets them. Each in words. */
export function strayCredentials(config: Config): readonly string[] {
  if (config.supergraph.places !== undefined) return []
  return calledHere(config)
    .filter((name) => {
      const { url, credential } = config.services[name]
      return url === undefined && credential.kind !== 'none'
    })
    .map((name) => {
      const variable = `TESSERA_${name.toUpperCase()}`
      return `${variable}_CREDENTIAL: the sandbox gets it, as ${variable}_URL names no service`
    })
}

/** Rejects if nothing answers at the address of a sandbox. */
async function expectSandbox(url: string): Promise<void> {
  try {
    const request = { method: 'GET', headers: [], body: undefined, maxBytes: 100_000 } as const
    completeResponse(await sendOnce(url, request, sandboxPatienceMs))
  } catch (error) {
    throw new CommandError(`--sandbox ${url}: ${reasonOf(error)}; tessera sandbox starts one`)
  }
}
const sandboxPatienceMs = 5000

/**
 * `needed` are the services that this process calls itself. `running` is the address of a sandbox that already
 * runs, instead of a new one.
 */
export async function startServices(
  config: Config,
  needed: readonly ServiceName[] = serviceNames,
  running?: string,
) {
  const sandboxed = needed.filter((name) => config.services[name].url === undefined)
  if (running !== undefined && sandboxed.length > 0) await expectSandbox(running)
  const sandbox =
    sandboxed.length === 0 || running !== undefined
      ? undefined
      : await (await import('../../sandbox/index.ts')).startSandbox({
          port: 0,
          // Nobody reads it here, and it would grow with every call.
          journal: false,
          settings: ownSettingsOf(config.services),
        })
  let authenticator: Authenticator | undefined
  try {
    if (isAllSandbox(config)) authenticator = await sandboxAuthenticator(config.authorization.scopeAliases)
  } catch (error) {
    await sandbox?.close()
    throw error
  }
  return {
    urls: forEachService((name) => config.services[name].url ?? running ?? sandbox?.url ?? ''),
    sandboxed,
    /** The address of the sandbox, if it replaces any service. */
    sandboxUrl: running ?? sandbox?.url,
    /** Accepts the sandbox's own tokens. Present only if every service is the sandbox and no key is configured. */
    authenticator,
    /** Makes such tokens, under the same condition. */
    mintToken: authenticator === undefined ? undefined : mintForExplorer(),
    /** Operations for the sandbox's sample data, if every service is the sandbox. */
    examples: sandboxed.length === serviceNames.length ? sandboxExamples : undefined,
    close: async (): Promise<void> => sandbox?.close(),
  }
}

/**
 * The options of a gateway, and its services: undefined for a supergraph that is not ours, because only our own graph has
 * some. `sandbox` is the address of a sandbox that already runs.
 */
export async function startServed({ config, supergraph, manifest }: Reading, sandbox?: string | undefined) {
  const services =
    supergraph === undefined ? await startServices(config, calledHere(config), sandbox) : undefined
  return {
    services,
    options: {
      config,
      serviceUrls: services?.urls,
      supergraph,
      manifest,
      authenticator: services?.authenticator,
      mintToken: services?.mintToken,
      examples: services?.examples,
    } satisfies ReloadableOptions,
  }
}
