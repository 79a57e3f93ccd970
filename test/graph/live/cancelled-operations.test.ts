/**
 * If a client cancels a running operation or disconnects, the operation is cancelled at the subgraphs, too, and no
 * other one is.
 */
import { createClient as createSseClient } from 'graphql-sse'
import { expect, onTestFinished, test } from 'vitest'
import { keep } from '../../support/keep.ts'
import { type Setting, startSetting } from '../incremental/kit.ts'
import { connect, follow, wait } from './kit.ts'

interface Client {
  subscribe(payload: { query: string }, sink: { next(): void; error(): void; complete(): void }): () => void
}

const clients: Readonly<Record<string, (setting: Setting) => Client>> = {
  'a WebSocket': ({ url }) => connect({ wsUrl: url.replace('http:', 'ws:') }, { lazy: false }),
  'a single connection of server-sent events': ({ url }) => {
    const client = createSseClient({ url, singleConnection: true, lazy: false, retryAttempts: 0 })
    onTestFinished(() => client.dispose())
    return client
  },
}

test.each(Object.keys(clients))('over %s', async (name) => {
  const setting = keep(await startSetting())
  setting.hold()
  const client = clients[name]?.(setting)
  const begin = () => client?.subscribe({ query: '{ slowly }' }, { next() {}, error() {}, complete() {} })
  const stop = begin()
  await expect.poll(() => setting.slow.asked.length, wait).toBe(1)
  stop?.()
  await expect.poll(setting.left, wait).toBe(1)
  begin()
  await expect.poll(() => setting.slow.asked.length, wait).toBe(2)
  await (client as unknown as { dispose(): void }).dispose()
  await expect.poll(setting.left, wait).toBe(2)
})

test('but not if the gateway stops: it closes the WebSocket when the results are sent', async () => {
  const setting = keep(await startSetting({ TESSERA_SHUTDOWN_GRACE_MS: '30000' }))
  setting.hold()
  const wsUrl = setting.url.replace('http:', 'ws:')
  const open = () => {
    const client = connect({ wsUrl }, { lazy: false, onNonLazyError() {} })
    return { client, closed: new Promise((resolve) => client.on('closed', resolve)) }
  }
  const idle = open()
  await new Promise((resolve) => idle.client.on('connected', resolve))
  const { client, closed } = open()
  const query = follow(client, '{ slowly }')
  await expect.poll(() => setting.slow.asked.length, wait).toBe(1)
  const stopped = setting.router[Symbol.asyncDispose]()
  expect(await idle.closed).toMatchObject({ code: 1012 })
  // What has not begun is sent again by the client when it has reconnected.
  const another = follow(client, '{ again: slowly }')
  setting.release()
  expect(await closed).toMatchObject({ code: 1012 })
  expect(query).toMatchObject({ results: [{ data: { slowly: 'there' } }], completed: true })
  expect(another.results).toEqual([])
  await stopped
  expect(setting.left()).toBe(0)
})
