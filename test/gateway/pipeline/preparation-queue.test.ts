/** New operations wait in a bounded line, and each has its own turn of the event loop. */
import { expect, test } from 'vitest'
import { PreparationQueue, type Work } from '../../../gateway/pipeline/preparation-queue.ts'

/** Work of one step. */
const once = <Made>(make: () => Made): Work<Made> =>
  function* () {
    yield
    return make()
  }
/** What prepares work that is equal to no other. */
const preparing =
  (queue: PreparationQueue) =>
  <Made>(make: () => Made, deadline?: number) =>
    queue.joining<Made>()('', deadline, once(make))
/** What prepares work that is equal to all work of its key. */
function joining(queue: PreparationQueue) {
  const join = queue.joining<string>()
  return (key: string, make: () => string, deadline?: number) => join(key, deadline, once(make))
}
const busy = { extensions: { code: 'SERVICE_BUSY', retryAfter: 1 } }
/** Longer than a turn should be, however quick the machine is. */
const spin = (): void => {
  for (const end = performance.now() + 25; performance.now() < end; );
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first operation is prepared immediately, the others one in each turn of the event loop, in their order', async () => {
  const prepare = preparing(new PreparationQueue(10))
  const order: number[] = []
  const results = [1, 2, 3].map((n) => prepare(() => order.push(n)))
  expect(order).toEqual([1])
  expect(results[0]).toBe(1)
  await turn()
  expect(order).toEqual([1, 2])
  await turn()
  expect(order).toEqual([1, 2, 3])
  expect(await Promise.all(results)).toEqual([1, 2, 3])
  await turn()
  expect(prepare(() => 'at once again')).toBe('at once again')
})

test('work for which the line or the deadline does not suffice is refused with SERVICE_BUSY and the time after which to retry', async () => {
  const prepare = preparing(new PreparationQueue(2))
  expect(prepare(() => 'first')).toBe('first')
  const late = prepare(() => 'too late', performance.now() - 1)
  const waiting = prepare(() => 'in time')
  expect(() => prepare(() => 'refused')).toThrow(expect.objectContaining(busy))
  await expect(late).rejects.toMatchObject(busy)
  await expect(waiting).resolves.toBe('in time')
})

test('work that a preparation begins is part of it; an error reaches only the request of the preparation', async () => {
  const prepare = preparing(new PreparationQueue(10))
  expect(prepare(() => prepare(() => 'within'))).toBe('within')
  const failing = prepare(() => {
    throw new Error('no plan')
  })
  const next = prepare(() => 'next')
  await expect(failing).rejects.toThrow('no plan')
  expect(await next).toBe('next')
})

test('a long preparation leaves turns to others between its steps, and before its request continues', async () => {
  const queue = new PreparationQueue(10)
  const order: string[] = []
  const others = setInterval(() => order.push('other'), 0)
  const first = queue.joining<string>()('', undefined, function* () {
    for (const step of ['read', 'plan', 'compile']) {
      if (order.length > 0) yield
      spin()
      order.push(step)
    }
    return 'made'
  })
  expect(order).toEqual(['read'])
  const second = preparing(queue)(() => order.push('second'))
  expect(await first).toBe('made')
  await second
  clearInterval(others)
  expect(order.filter((each) => each !== 'other')).toEqual(['read', 'plan', 'compile', 'second'])
  for (const step of ['plan', 'compile']) expect(order[order.indexOf(step) - 1]).toBe('other')
})

test('short steps follow each other immediately', () => {
  const made = new PreparationQueue(10).joining<string>()('', undefined, function* () {
    yield
    yield
    return 'made'
  })
  expect(made).toBe('made')
})

test('equal work takes one place in line, and all requests that wait get its result', async () => {
  const prepare = joining(new PreparationQueue(1))
  let times = 0
  const made = (value: string) => () => {
    times += 1
    return value
  }
  expect(prepare('first', made('first'))).toBe('first')
  const equal = Array.from({ length: 500 }, () => prepare('a', made('a'), performance.now() + 60_000))
  expect(() => prepare('b', made('b'))).toThrow(/than can be prepared/)
  expect(await Promise.all(equal)).toEqual(equal.map(() => 'a'))
  expect(times).toBe(2)
  // It was no cache: what is over is made again.
  await turn()
  expect(prepare('a', made('a again'))).toBe('a again')
})

test('a request that waits for equal work leaves at its own deadline, and the place is kept for the last of them', async () => {
  const queue = new PreparationQueue(10)
  const prepare = joining(queue)
  let left = false
  const first = queue.joining<void>()('', undefined, function* () {
    while (!left) {
      spin()
      yield
    }
  })
  const leader = prepare('a', () => 'made', performance.now() - 1)
  const hasty = prepare('a', () => 'its own', performance.now() - 1)
  const patient = prepare('a', () => 'its own', performance.now() + 60_000)
  await expect(hasty).rejects.toMatchObject(busy)
  left = true
  await first
  expect(await patient).toBe('made')
  expect(await leader).toBe('made')
})

test('an error of equal work reaches the request that began it; the others begin again, together', async () => {
  const queue = new PreparationQueue(2)
  const prepare = joining(queue)
  expect(preparing(queue)(() => 'first')).toBe('first')
  const failing = prepare('a', () => {
    throw new Error('its own')
  })
  let times = 0
  const others = [1, 2, 3].map(() => prepare('a', () => `made ${++times}`, performance.now() + 60_000))
  await expect(failing).rejects.toThrow('its own')
  expect(await Promise.all(others)).toEqual(['made 1', 'made 1', 'made 1'])
})

test('equal work within a preparation is done immediately', () => {
  const queue = new PreparationQueue(10)
  const prepare = joining(queue)
  expect(preparing(queue)(() => prepare('a', () => 'within'))).toBe('within')
})
