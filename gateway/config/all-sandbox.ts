/** Whether every service is the sandbox, by the configuration. */
import { serviceNames } from '../../subgraphs/index.ts'
import type { Config } from './config.ts'

/** Whether no service and no subgraph is real. */
export function isNothingReal({ services, subgraph }: Config): boolean {
  return (
    serviceNames.every((name) => services[name].url === undefined) && Object.keys(subgraph.urls).length === 0
  )
}

/** Whether our own tokens may open anything: only if no service is real. */
export function isAllSandbox(config: Config): boolean {
  return config.trustedIssuers.length === 0 && isNothingReal(config)
}
