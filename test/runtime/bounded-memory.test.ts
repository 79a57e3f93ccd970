/** What is remembered is bounded: neither many operations nor many requests make the process grow. */
import { once } from 'node:events'
import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { collectAll } from '../../gateway/cli/v8-flags.ts'
import { type Graph, startGraph } from '../support/graph.ts'

const heap = (): number => {
  collectAll()
  return getHeapStatistics().used_heap_size / 1e6
}

async function inTurn(count: number, ask: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const asker = async (): Promise<void> => {
    while (next < count) await ask(next++)
  }
  await Promise.all(Array.from({ length: 8 }, asker))
}

async function ask(graph: Graph, text: string, variables: Record<string, unknown> = {}): Promise<void> {
  const { errors, status } = await graph.ask(text, variables)
  if (status !== 200 || errors.length > 0) throw new Error(`${status} ${JSON.stringify(errors)}`)
}

test('operations beyond those that are kept leave nothing behind', async () => {
  await using graph = await startGraph({ env: { TESSERA_KEPT_OPERATIONS: '20', TESSERA_PERSISTED: 'off' } })
  let number = 0
  const distinct = (count: number): Promise<void> =>
    inTurn(count, () => {
      number += 1
      return ask(graph, `query D${number} { a${number}: metrics { buildInfo { version } } __typename }`)
    })
  // The kept ones, and everything that is made once.
  await distinct(200)
  const before = heap()
  await distinct(300)
  // Three hundred that were kept would be some nine megabytes.
  expect(heap() - before).toBeLessThan(3)
})

test('requests leave nothing behind', async () => {
  await using graph = await startGraph()
  const text =
    'query One($id: ID!) { message(messageId: $id) { text } metrics { query(query: "1") { raw } } }'
  const requests = (count: number): Promise<void> =>
    inTurn(count, (index) => ask(graph, text, { id: String(7700000000000010000n + BigInt(index)) }))
  await requests(300)
  graph.sandbox.journal.length = 0
  const before = heap()
  await requests(1000)
  graph.sandbox.journal.length = 0
  expect(heap() - before).toBeLessThan(3)
})

test('a WebSocket leaves nothing of what its connection_init had', async () => {
  await using graph = await startGraph()
  const sockets: WebSocket[] = []
  const open = async (): Promise<void> => {
    const socket = new WebSocket(graph.wsUrl, 'graphql-transport-ws')
    sockets.push(socket)
    await once(socket, 'open')
    const payload = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, 'x'.repeat(500)]))
    socket.send(JSON.stringify({ type: 'connection_init', payload }))
    await once(socket, 'message')
  }
  await inTurn(10, open)
  const before = heap()
  await inTurn(40, open)
  // Forty that are kept would be twenty megabytes.
  expect(heap() - before).toBeLessThan(4)
  for (const socket of sockets) socket.terminate()
})
