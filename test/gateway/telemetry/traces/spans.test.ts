/** Which traces are kept, and that the steps of one end with what they run, however that ends. */
import { expect, test } from 'vitest'
import { createLogger } from '../../../../gateway/telemetry/log.ts'
import type { SamplerSettings } from '../../../../gateway/telemetry/settings.ts'
import { Traces } from '../../../../gateway/telemetry/traces/spans.ts'
import { attributesOf, startCollector } from '../../../support/collector.ts'

const open = (url: string, sampler: SamplerSettings): Traces =>
  new Traces({ url, headers: {}, attributes: {}, warnings: [], sampler }, createLogger({ level: 'silent' }))

test.each([
  [{ parentBased: false, ratio: 0 }, false, false, false],
  [{ parentBased: false, ratio: 1 }, true, true, true],
  [{ parentBased: true, ratio: 0 }, true, false, false],
  [{ parentBased: true, ratio: 1 }, true, false, true],
])(
  '%j: a trace that its caller keeps is kept: %s; that it drops: %s; without a caller: %s',
  async (sampler, ...kept) => {
    const traces = open('http://127.0.0.1:1', sampler)
    const isKept = (flags?: string): Promise<boolean> =>
      traces.request(
        (name) =>
          name === 'traceparent' && flags !== undefined
            ? `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}`
            : undefined,
        async ({ isSampled }) => isSampled,
      )
    expect([await isKept('01'), await isKept('00'), await isKept()]).toEqual(kept)
    await traces.close()
  },
)

test('a step that throws at once ends as failed, as one that rejects does', async () => {
  const collector = await startCollector()
  const traces = open(collector.url, { parentBased: true, ratio: 1 })
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
