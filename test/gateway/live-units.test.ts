/** Units that polls for subscriptions spend are counted like those of operations, and leave operations their part. */
import { expect, test } from 'vitest'
import { createProcessResources } from '../../gateway/process-resources.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { sampleVideos } from '../../sandbox/videos/index.ts'
import { forEachService } from '../../subgraphs/index.ts'
import { configFrom } from '../support/graph.ts'
import { eventually, subscribeTo } from '../support/live.ts'

test('polls are booked in the ledger, and subscriptions beyond their share are refused', async () => {
  await using sandbox = await startSandbox()
  const make = (env: Record<string, string>) =>
    createProcessResources(
      { config: configFrom(env), serviceUrls: forEachService(() => sandbox.url) },
      () => 'http://127.0.0.1:1',
    )
  const operation = `subscription { videoChanged(videoIds: ["${sampleVideos.all[0]}"]) { snippet { title } } }`
  const resources = make({ TESSERA_QUOTA_DAILY: '10000' })
  try {
    const watching = await subscribeTo(resources.local.get('videos') as never, operation)
    watching.read()
    await watching.until(1)
    await eventually(() => sandbox.ledger.units > 0)
    const { used, operations } = await resources.quota.snapshot('none')
    expect(used).toBe(sandbox.ledger.units)
    expect(operations).toEqual([{ name: 'videos.list', units: used, calls: used }])
  } finally {
    await resources.close()
  }
  const none = make({ TESSERA_QUOTA_DAILY: '10000', TESSERA_LIVE_SHARE: '0' })
  try {
    await expect(subscribeTo(none.local.get('videos') as never, operation)).rejects.toMatchObject({
      extensions: { code: 'QUOTA_EXCEEDED' },
    })
  } finally {
    await none.close()
  }
})
