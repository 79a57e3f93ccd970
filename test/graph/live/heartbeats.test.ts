/** Heartbeats of server-sent events, as another project's client reads them. */
import { createClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { start } from './kit.ts'

const query = 'subscription { ticked { number } }'

test.each([false, true])(
  'graphql-sse reads past heartbeats (single connection: %s)',
  async (singleConnection) => {
    const { graph, url } = await start({ env: { TESSERA_SUBSCRIPTION_HEARTBEAT_MS: '100' } })
    let heartbeats = 0
    const fetchFn: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          heartbeats += Buffer.from(bytes).toString().match(/^:$/gm)?.length ?? 0
          controller.enqueue(bytes)
        },
      })
      return new Response(response.body?.pipeThrough(count) ?? null, response)
    }
    const anotherHeartbeat = () => expect.poll(() => heartbeats).toBeGreaterThan(heartbeats)
    const client = createClient<boolean>({ url, singleConnection, retryAttempts: 0, fetchFn })
    const events = client.iterate({ query })
    const first = events.next()
    await expect.poll(() => graph.listening()).toBe(1)
    await anotherHeartbeat()
    graph.tick(1)
    expect((await first).value).toMatchObject({ data: { ticked: { number: 1 } } })
    await anotherHeartbeat()
    graph.send('ticked', 'done')
    expect((await events.next()).done).toBe(true)
    client.dispose()
  },
)
