/** An operation that its client ends, or leaves, is ended at the subgraphs, too, while it is executed. No other one is. */
import { createClient as createSseClient } from 'graphql-sse'
import { expect, onTestFinished, test } from 'vitest'
import { keep } from '../../support/keep.ts'
import { postJson } from '../../support/post-json.ts'
import { type Setting, startSetting } from '../incremental/kit.ts'
import { connect, wait } from './kit.ts'

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

test('but not if the gateway closes the WebSocket because it stops', async () => {
  const setting = keep(await startSetting())
  setting.hold()
  const wsUrl = setting.url.replace('http:', 'ws:')
  const client = connect({ wsUrl }, { lazy: false, onNonLazyError() {} })
  const closed = new Promise((resolve) => client.on('closed', resolve))
  client.subscribe({ query: '{ slowly }' }, { next() {}, error() {}, complete() {} })
  // The gateway waits for this one, so both may end.
  const waited = postJson(setting.url, { query: '{ again: slowly }' })
  await expect.poll(() => setting.slow.asked.length, wait).toBe(2)
  const stopped = setting.router[Symbol.asyncDispose]()
  expect(await closed).toMatchObject({ code: 1012 })
  // A request that the gateway had cancelled would have arrived as such before this one.
  await postJson(setting.quick.url, { query: '{ tags }' })
  setting.release()
  expect(await (await waited).json()).toEqual({ data: { again: 'there' } })
  await stopped
  expect(setting.left()).toBe(0)
})
