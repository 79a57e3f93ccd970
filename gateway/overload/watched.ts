/** The gate of a server, with its metrics and a line in the log when refusing begins and ends. */
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { createGate, type Gate } from './gate.ts'

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
