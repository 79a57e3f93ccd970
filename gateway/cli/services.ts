/**
 * The services behind a gateway, as the configuration names them, with the sandbox in the place of those
 * that it does not. Beside the sandbox command the only part of the product that knows of the sandbox.
 */

import type { Example } from '../../explorer/examples/example.ts'
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import type { MintToken } from '../../explorer/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { forEachService, type ServiceName, serviceNames } from '../../subgraphs/index.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { type Config, isAllSandbox } from '../config/index.ts'
import { mintForExplorer, sandboxAuthenticator } from './sandbox-token.ts'

export interface SandboxedServices {
  readonly urls: Readonly<Record<ServiceName, string>>
  readonly sandboxed: readonly ServiceName[]
  /** Takes tokens of the sandbox's own making; only if every service is the sandbox and no key is configured. */
  readonly authenticator: Authenticator | undefined
  /** Makes such tokens, under the same condition. */
  readonly mintToken: MintToken | undefined
  /** Operations for the sandbox's sample data; only if every service is the sandbox. */
  readonly examples: ((now: number) => readonly Example[]) | undefined
  /** Where the sandbox runs, if it stands in for any of them. */
  readonly sandboxUrl: string | undefined
  close(): Promise<void>
}

/** The services whose subgraphs run in this process. */
export function calledHere({ remoteSubgraphs }: Config): ServiceName[] {
  return serviceNames.filter((name) => !Object.hasOwn(remoteSubgraphs, name))
}

/**
 * `needed`: the services that this process calls itself; the others are somebody else's to reach. `running`: where a
 * sandbox runs already, instead of one of our own.
 */
export async function startServices(
  config: Config,
  needed: readonly ServiceName[] = serviceNames,
  running?: string,
): Promise<SandboxedServices> {
  const sandboxed = needed.filter((name) => config.services[name].url === undefined)
  const sandbox =
    sandboxed.length === 0 || running !== undefined
      ? undefined
      : await startSandbox({ port: 0, settings: forEachService((name) => config.services[name].settings) })
  let authenticator: Authenticator | undefined
  try {
    if (isAllSandbox(config)) authenticator = await sandboxAuthenticator(config.values.TESSERA_SCOPE_ALIASES)
  } catch (error) {
    await sandbox?.close()
    throw error
  }
  return {
    urls: forEachService((name) => config.services[name].url ?? running ?? sandbox?.url ?? ''),
    sandboxed,
    sandboxUrl: running ?? sandbox?.url,
    authenticator,
    mintToken: authenticator === undefined ? undefined : mintForExplorer(),
    examples: sandboxed.length === serviceNames.length ? sandboxExamples : undefined,
    close: async () => sandbox?.close(),
  }
}
