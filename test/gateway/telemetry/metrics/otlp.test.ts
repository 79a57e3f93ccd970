import { expect, test } from 'vitest'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { exportMetrics } from '../../../../gateway/telemetry/metrics/otlp.ts'
import { startCollector } from '../../../support/collector.ts'

test('a gauge that is no number at the moment is left out: JSON has none such, and the others are sent', async () => {
  const collector = await startCollector()
  const gauge = (name: string, ...values: number[]) => ({
    ...{ name, help: name, type: 'gauge', aggregator: 'max' },
    values: values.map((value, at) => ({ labels: { at }, value })),
  })
  const { close } = exportMetrics(
    {
      ...{ url: `${collector.url}/v1/metrics`, headers: {}, attributes: {}, warnings: [] },
      ...{ intervalMs: 60_000, conventions: false },
    },
    async () => [gauge('lag', Number.NaN, 0.5), gauge('other', 7)],
    createLogger({ level: 'silent' }),
  )
  await close()
  const valuesOf = (name: string) => collector.points(name)?.map(({ asDouble }) => asDouble)
  expect(valuesOf('lag')).toEqual([0.5])
  expect(valuesOf('other')).toEqual([7])
})
