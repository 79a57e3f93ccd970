/** Whether the sandbox is behind the whole graph, as far as the configuration says. */
import { serviceNames } from '../../subgraphs/index.ts'
import type { Config } from './config.ts'

/** Whether no service and no subgraph is real. */
export function isNothingReal(config: Config): boolean {
  return (
    serviceNames.every((name) => config.services[name].url === undefined) &&
    Object.keys(config.remoteSubgraphs).length === 0
  )
}

/** Whether tokens of our own making may open anything: only when there is nothing real behind the graph. */
export function isAllSandbox(config: Config): boolean {
  return config.issuers.length === 0 && isNothingReal(config)
}
