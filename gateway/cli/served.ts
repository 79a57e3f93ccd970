/** Makes the options of a gateway for the command line: from what was read, with the sandbox if it is needed. */
import type { ReloadableOptions } from '../options.ts'
import type { Reading } from '../reload/index.ts'
import { calledHere, type SandboxedServices, startServices } from './services.ts'

export interface Served {
  readonly options: ReloadableOptions
  /** Undefined for a supergraph that is not ours, because only our own graph has services. */
  readonly services: SandboxedServices | undefined
}

/** `sandbox` is the address of a sandbox that already runs. */
export async function startServed(
  { config, supergraph, manifest }: Reading,
  sandbox?: string | undefined,
): Promise<Served> {
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
    },
  }
}
