/**
 * Overload control: one bounded queue in front of the pipeline, which refuses at once what it cannot hold
 * (docs/overload.md).
 */
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { createGate, type Gate } from './gate.ts'

export type { Gate, GatedRequest } from './gate.ts'
export { busyRefusal } from './refusal.ts'

/** Whether an operation that came in a message may begin. If so, the gate must be told of its end. */
export function passed(gate: Gate, isGone: () => boolean): Promise<boolean> {
  return new Promise((resolve) =>
    gate.enter({ isGone, begin: () => resolve(true), refuse: () => resolve(false) }),
  )
}

/** The gate of a server, with its metrics and a line in the log when refusing begins and ends. */
export function createWatchedGate(targetMs: number, metrics: Metrics, log: Logger): Gate {
  const gate = createGate({
    targetMs,
    onRefused: metrics.refused,
    onChange(sheds, refusals) {
      if (sheds) log.warn({ targetMs }, 'overload: requests would wait too long, new ones are refused')
      else log.warn({ refusals }, 'overload is over')
    },
  })
  metrics.gauge(
    'tessera_wait_seconds',
    'How long a request that comes now would wait for those before it.',
    () => [{ labels: {}, value: gate.waitMs() / 1000 }],
    'max',
  )
  return gate
}
