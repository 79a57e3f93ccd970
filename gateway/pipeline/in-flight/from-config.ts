/** How equal work under way is shared, as the configuration says. */

import type { Engine } from '../../../engine/index.ts'
import type { Transport } from '../../../engine/subgraphs/index.ts'
import type { Config } from '../../config/index.ts'
import type { Metrics } from '../../telemetry/metrics/index.ts'
import { createInFlight, type InFlight } from './index.ts'

/** Whether equal work of a subgraph is shared. */
export function sharesEqual(config: Config, subgraph: string): boolean {
  return config.calls.shareEqual && !config.calls.shareEqualExcept.includes(subgraph)
}

/** Equal operations under way. Labels of `@override` may decide differently for each request: then none are shared. */
export function inFlightFrom(
  config: Config,
  parts: {
    readonly engine: Engine
    readonly transports: ReadonlyMap<string, Transport>
    readonly metrics: Metrics
  },
): InFlight {
  const { engine, transports, metrics } = parts
  return createInFlight({
    enabled: config.calls.shareEqual && engine.planner.labels.length === 0,
    callerHeaders: (name) => (sharesEqual(config, name) ? transports.get(name)?.callerHeaders : undefined),
    timeoutMs: config.calls.requestTimeoutMs,
    joined: metrics.operationJoined,
  })
}
