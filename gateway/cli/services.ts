/**
 * The services behind a gateway as the configuration names them, with the sandbox in place of those that are not
 * configured. Besides the sandbox command, this is the only part of the product that knows the sandbox.
 */

import type { Example } from '../../explorer/examples/example.ts'
import { sandboxExamples } from '../../explorer/examples/sandbox.ts'
import type { MintToken } from '../../explorer/index.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { forEachService, type ServiceName, serviceNames } from '../../subgraphs/index.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { type Config, isAllSandbox, ownSettingsOf } from '../config/index.ts'
import { mintForExplorer, sandboxAuthenticator } from './sandbox-token.ts'

export interface SandboxedServices {
  readonly urls: Readonly<Record<ServiceName, string>>
  readonly sandboxed: readonly ServiceName[]
  /** Accepts the sandbox's own tokens. Present only if every service is the sandbox and no key is configured. */
  readonly authenticator: Authenticator | undefined
  /** Makes such tokens, under the same condition. */
  readonly mintToken: MintToken | undefined
  /** Operations for the sandbox's sample data, if every service is the sandbox. */
  readonly examples: ((now: number) => readonly Example[]) | undefined
  /** The address of the sandbox, if it replaces any service. */
  readonly sandboxUrl: string | undefined
  close(): Promise<void>
}

/** The services whose subgraphs run in this process. */
export function calledHere({ subgraph }: Config): ServiceName[] {
  return serviceNames.filter((name) => !Object.hasOwn(subgraph.urls, name))
}

/**
 * `needed` are the services that this process calls itself. `running` is the address of a sandbox that already
 * runs, instead of a new one.
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
      : await startSandbox({ port: 0, settings: ownSettingsOf(config.services) })
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
    sandboxUrl: running ?? sandbox?.url,
    authenticator,
    mintToken: authenticator === undefined ? undefined : mintForExplorer(),
    examples: sandboxed.length === serviceNames.length ? sandboxExamples : undefined,
    close: async () => sandbox?.close(),
  }
}
