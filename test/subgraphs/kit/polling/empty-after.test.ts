/** `after: ""`, which some clients send instead of null: the subscription begins as without it. */
import { expect, test } from 'vitest'
import { startSandbox } from '../../../../sandbox/index.ts'
import { sampleMessages } from '../../../../sandbox/messages/index.ts'
import { sampleVideos } from '../../../../sandbox/videos/index.ts'
import { createMessagesSubgraph } from '../../../../subgraphs/messages/index.ts'
import { heldClock, subscribeTo } from '../../../support/live.ts'
import { metricsSubgraph } from '../../metrics/kit.ts'
import { videosAt } from '../../videos/kit.ts'

test.each([
  [`likeAdded(messageId: "${sampleMessages.own}", after: $after) { gap }`, createMessagesSubgraph],
  [
    `commentThreadAdded(videoId: "${sampleVideos.own[0]}", after: $after) { gap }`,
    (options: Parameters<typeof createMessagesSubgraph>[0]) => videosAt(options.baseUrl, options),
  ],
  [
    'alertChanged(after: $after) { change }',
    (options: Parameters<typeof createMessagesSubgraph>[0]) => metricsSubgraph(options.baseUrl, options),
  ],
])('%s', async (field, create) => {
  const clock = heldClock()
  const sandbox = await startSandbox({ now: clock.now })
  const subgraph = create({ baseUrl: sandbox.url, credential: { kind: 'none' }, live: { clock } })
  const begin = (after: string) =>
    subscribeTo(subgraph, `subscription ($after: String) { ${field} }`, { after })
  try {
    const begun = await begin('')
    expect(begun.ended).toBe(undefined)
    await begun.close()
    await expect(begin('no position')).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
  } finally {
    await subgraph.close()
    await sandbox.close()
  }
})
