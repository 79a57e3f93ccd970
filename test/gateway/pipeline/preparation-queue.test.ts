/** New operations wait in a bounded line, and each has its own turn of the event loop. */
import { expect, test } from 'vitest'
import { PreparationQueue, type Work } from '../../../gateway/pipeline/preparation-queue.ts'

/** Work of one step. */
const once = <Made>(make: () => Made): Work<Made> =>
  function* () {
    yield
    return make()
  }
/** Prepares work that is equal to no other. */
const run = <Made>(preparations: PreparationQueue, deadline: number | undefined, work: Work<Made>) =>
  preparations.joining<Made>()('', deadline, work)
/** Longer than a turn should be, however quick the machine is. */
const spin = (): void => {
  for (const end = performance.now() + 25; performance.now() < end; );
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first operation is prepared immediately, the others one in each turn of the event loop, in their order', async () => {
  const preparations = new PreparationQueue(10)
  const order: number[] = []
  const results = [1, 2, 3].map((n) =>
    run(
      preparations,
      undefined,
      once(() => order.push(n)),
    ),
  )
  expect(order).toEqual([1])
  expect(results[0]).toBe(1)
  await turn()
  expect(order).toEqual([1, 2])
  await turn()
  expect(order).toEqual([1, 2, 3])
  expect(await Promise.all(results)).toEqual([1, 2, 3])
  await turn()
  expect(
    run(
      preparations,
      undefined,
      once(() => 'at once again'),
    ),
  ).toBe('at once again')
})

test('work for which the line or the deadline does not suffice is refused with SERVICE_BUSY and the time after which to retry', async () => {
  const preparations = new PreparationQueue(2)
  expect(
    run(
      preparations,
      undefined,
      once(() => 'first'),
    ),
  ).toBe('first')
  const late = run(
    preparations,
    performance.now() - 1,
    once(() => 'too late'),
  )
  const waiting = run(
    preparations,
    undefined,
    once(() => 'in time'),
  )
  const busy = { extensions: { code: 'SERVICE_BUSY', retryAfter: 1 } }
  expect(() =>
    run(
      preparations,
      undefined,
      once(() => 'refused'),
    ),
  ).toThrow(expect.objectContaining(busy))
  await expect(late).rejects.toMatchObject(busy)
  await expect(waiting).resolves.toBe('in time')
})

test('work that a preparation begins is part of it; an error reaches only the request of the preparation', async () => {
  const preparations = new PreparationQueue(10)
  expect(
    run(
      preparations,
      undefined,
      once(() =>
        run(
          preparations,
          undefined,
          once(() => 'within'),
        ),
      ),
    ),
  ).toBe('within')
  const fails = once(() => {
    throw new Error('no plan')
  })
  const failing = run(preparations, undefined, fails)
  const next = run(
    preparations,
    undefined,
    once(() => 'next'),
  )
  await expect(failing).rejects.toThrow('no plan')
  expect(await next).toBe('next')
})

test('a long preparation leaves turns to others between its steps, and before its request continues', async () => {
  const preparations = new PreparationQueue(10)
  const order: string[] = []
  const others = setInterval(() => order.push('other'), 0)
  const work: Work<string> = function* () {
    for (const step of ['read', 'plan', 'compile']) {
      if (order.length > 0) yield
      spin()
      order.push(step)
    }
    return 'made'
  }
  const first = run(preparations, undefined, work)
  expect(order).toEqual(['read'])
  const second = run(
    preparations,
    undefined,
    once(() => order.push('second')),
  )
  expect(await first).toBe('made')
  await second
  clearInterval(others)
  expect(order.filter((each) => each !== 'other')).toEqual(['read', 'plan', 'compile', 'second'])
  for (const step of ['plan', 'compile']) expect(order[order.indexOf(step) - 1]).toBe('other')
})

test('short steps follow each other immediately', () => {
  const preparations = new PreparationQueue(10)
  const made = run(preparations, undefined, function* () {
    yield
    yield
    return 'made'
  })
  expect(made).toBe('made')
})

test('equal work takes one place in line, and all requests that wait get its result', async () => {
  const preparations = new PreparationQueue(1)
  const prepare = preparations.joining<string>()
  let times = 0
  const made = (value: string) =>
    once(() => {
      times += 1
      return value
    })
  expect(prepare('first', undefined, made('first'))).toBe('first')
  const equal = Array.from({ length: 500 }, () => prepare('a', performance.now() + 60_000, made('a')))
  expect(() => prepare('b', undefined, made('b'))).toThrow(/than can be prepared/)
  expect(await Promise.all(equal)).toEqual(equal.map(() => 'a'))
  expect(times).toBe(2)
  // It was no cache: what is over is made again.
  await turn()
  expect(prepare('a', undefined, made('a again'))).toBe('a again')
})

test('a request that waits for equal work leaves at its own deadline, and the place is kept for the last of them', async () => {
  const preparations = new PreparationQueue(10)
  const prepare = preparations.joining<string>()
  const busy = { extensions: { code: 'SERVICE_BUSY', retryAfter: 1 } }
  let left = false
  const first = run(preparations, undefined, function* () {
    while (!left) {
      spin()
      yield
    }
  })
  const leader = prepare(
    'a',
    performance.now() - 1,
    once(() => 'made'),
  )
  const hasty = prepare(
    'a',
    performance.now() - 1,
    once(() => 'its own'),
  )
  const patient = prepare(
    'a',
    performance.now() + 60_000,
    once(() => 'its own'),
  )
  await expect(hasty).rejects.toMatchObject(busy)
  left = true
  await first
  expect(await patient).toBe('made')
  expect(await leader).toBe('made')
})

test('an error of equal work reaches the request that began it; the others begin again, together', async () => {
  const preparations = new PreparationQueue(2)
  const prepare = preparations.joining<string>()
  const first = run(
    preparations,
    undefined,
    once(() => 'first'),
  )
  expect(first).toBe('first')
  const failing = prepare(
    'a',
    undefined,
    once((): string => {
      throw new Error('its own')
    }),
  )
  let times = 0
  const others = [1, 2, 3].map(() =>
    prepare(
      'a',
      performance.now() + 60_000,
      once(() => `made ${++times}`),
    ),
  )
  await expect(failing).rejects.toThrow('its own')
  expect(await Promise.all(others)).toEqual(['made 1', 'made 1', 'made 1'])
})

test('equal work within a preparation is done immediately', () => {
  const preparations = new PreparationQueue(10)
  const prepare = preparations.joining<string>()
  const made = run(
    preparations,
    undefined,
    once(() =>
      prepare(
        'a',
        undefined,
        once(() => 'within'),
      ),
    ),
  )
  expect(made).toBe('within')
})
