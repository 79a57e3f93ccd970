import { expect, test } from 'vitest'
import type { UpstreamEvent } from '../../../shared/upstream.ts'
import { createQuotaCounter } from '../../../subgraphs/videos/quota.ts'

test('the units of a process are counted for a bounded number of credentials', async () => {
  const counter = createQuotaCounter()
  const call = { operation: 'videos.list', units: 1, attempts: 1 } as UpstreamEvent
  const usedBy = async (credentialKey: string) => (await counter.read(credentialKey)).used
  counter.count({ ...call, credentialKey: 'first' })
  counter.count({ ...call, credentialKey: 'busy' })
  for (let n = 0; n < 9999; n++) {
    counter.count({ ...call, credentialKey: 'busy' })
    counter.count({ ...call, credentialKey: `chosen by a caller ${n}` })
  }
  expect(await usedBy('first')).toBe(0)
  expect(await usedBy('busy')).toBe(10_000)
})
