/** Since when connections of one listening socket may have waited, by the turns in which they are accepted. */
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { AcceptQueue, mayHaveComeAt } from '../../../../gateway/http/serve/accept-queue.ts'

const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve))
}

/** One connection in each of so many turns. */
async function acceptIn(queue: AcceptQueue, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let at = 0; at < count; at++) {
    if (at > 0) await turns(1)
    const socket = new Socket()
    sockets.push(socket)
    queue.accepted(socket)
  }
  return sockets
}

test.each([2, 3, 4, 5])(
  '%d connections in as many turns may all have come before the second turn',
  async (count) => {
    const from = performance.now()
    const queue = new AcceptQueue()
    const sockets: Socket[] = []
    const times: (number | undefined)[] = []
    let until = 0
    for (let at = 0; at < count; at++) {
      const [socket] = (await acceptIn(queue, 1)) as [Socket]
      if (at === 0) until = performance.now()
      sockets.push(socket)
      await turns(1)
      times.push(mayHaveComeAt(socket))
    }
    const [first, ...others] = times
    expect(first).toBeUndefined()
    expect(new Set(others).size).toBe(1)
    expect(others[0]).toBeGreaterThanOrEqual(from)
    expect(others[0]).toBeLessThanOrEqual(until)
    for (const socket of sockets) expect(mayHaveComeAt(socket)).toBeUndefined()
  },
)

test.each([1, 2, 3, 4, 5])(
  'after %d turns with a connection and one without, none is known to have waited',
  async (count) => {
    const queue = new AcceptQueue()
    const accepted = await acceptIn(queue, count)
    await turns(3)
    // What is read only now did not wait to be accepted.
    for (const socket of accepted) expect(mayHaveComeAt(socket)).toBeUndefined()
    const [later] = (await acceptIn(queue, 1)) as [Socket]
    await turns(1)
    expect(mayHaveComeAt(later)).toBeUndefined()
  },
)

test('what another socket accepts says nothing of this one', async () => {
  const [one, other] = [new AcceptQueue(), new AcceptQueue()]
  await acceptIn(one, 1)
  await turns(1)
  const [socket] = (await acceptIn(other, 1)) as [Socket]
  await turns(1)
  expect(mayHaveComeAt(socket)).toBeUndefined()
})
