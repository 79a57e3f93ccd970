/** Lookups of many clients share calls of a service that is far away. */
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/index.ts'
import { startGraph } from '../support/graph.ts'
import { startBefore } from '../support/scripted-service.ts'

/** The sandbox, thirty milliseconds away. */
async function startDistant() {
  const sandbox = await startSandbox({ synthetic: true, journal: false })
  const service = await startBefore(
    () => sandbox.url,
    () => new Promise((resolve) => setTimeout(resolve, 30)),
  )
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await sandbox.close()
    },
  }
}

const clients = 32
const asked = 15

async function callsFor(env: Readonly<Record<string, string>>): Promise<number> {
  await using service = await startDistant()
  await using graph = await startGraph({ env, urls: { videos: service.url } })
  const ask = async (id: number): Promise<void> => {
    const { data, errors } = await graph.ask('query One($id: ID!) { video(videoId: $id) { videoId } }', {
      id: `syn${id}`,
    })
    expect(errors).toEqual([])
    expect(data.video.videoId).toBe(`syn${id}`)
  }
  await ask(0)
  const before = service.arrived.length
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let at = 1; at <= asked; at++) await ask(client * asked + at)
    }),
  )
  return service.arrived.length - before
}

test('32 clients share calls of a service 30 ms away, unless they may not', async () => {
  expect(await callsFor({ TESSERA_SHARE_CALLS: 'false' })).toBe(clients * asked)
  // How many share one depends on the machine here; shared-batches.test.ts says how many, by a clock of its own.
  expect(await callsFor({})).toBeLessThan((clients * asked) / 3)
})
