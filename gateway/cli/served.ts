/** What a gateway of the command line is made from: the configuration as it was read, and the sandbox if it is needed. */
import type { ReloadableOptions } from '../options.ts'
import type { Reading } from '../reload/index.ts'
import { calledHere, type SandboxedServices, startServices } from './services.ts'

export interface Served {
  readonly options: ReloadableOptions
  /** Undefined for another supergraph than ours, which has no services. */
  readonly services: SandboxedServices | undefined
}

/** `sandbox`: where one runs already. */
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
