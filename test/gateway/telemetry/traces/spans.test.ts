/** Steps of a trace end with what they run, however that ends. */
import { expect, test } from 'vitest'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import { Traces } from '../../../../gateway/telemetry/traces/spans.ts'
import { attributesOf, startCollector } from '../../../support/collector.ts'

test('a step that throws at once ends as failed, as one that rejects does', async () => {
  const collector = await startCollector()
  const sampler = { parentBased: true, ratio: 1 }
  const settings = { url: collector.url, headers: {}, attributes: {}, warnings: [], sampler }
  const traces = new Traces(settings, createLogger({ level: 'silent' }))
  const fault = new TypeError('no')
  await traces.request(
    () => undefined,
    async () => {
      expect(() =>
        traces.step('at once', {}, () => {
          throw fault
        }),
      ).toThrow(fault)
      await expect(traces.step('later', {}, () => Promise.reject(fault))).rejects.toThrow(fault)
    },
  )
  await traces.close()
  for (const name of ['at once', 'later'])
    expect((await collector.named(name)).map(attributesOf)).toMatchObject([{ 'error.type': 'TypeError' }])
})
