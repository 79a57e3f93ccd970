/** New operations wait in a bounded line, and each has its own turn of the event loop. */
import { expect, test } from 'vitest'
import { createPreparations, type Work } from '../../../gateway/http/preparation.ts'

/** Work of one step. */
const once = <Made>(make: () => Made): Work<Made> =>
  function* () {
    yield
    return make()
  }
/** Longer than a turn should be, however quick the machine is. */
const spin = (): void => {
  for (const end = performance.now() + 25; performance.now() < end; );
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first is prepared at once, the others one in each turn of the event loop, in their order', async () => {
  const preparations = createPreparations(10)
  const order: number[] = []
  const results = [1, 2, 3].map((n) =>
    preparations.run(
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
    preparations.run(
      undefined,
      once(() => 'at once again'),
    ),
  ).toBe('at once again')
})

test('beyond the line, and beyond the deadline, is SERVICE_BUSY with the time after which to come back', async () => {
  const preparations = createPreparations(2)
  expect(
    preparations.run(
      undefined,
      once(() => 'first'),
    ),
  ).toBe('first')
  const late = preparations.run(
    performance.now() - 1,
    once(() => 'too late'),
  )
  const waiting = preparations.run(
    undefined,
    once(() => 'in time'),
  )
  const busy = { extensions: { code: 'SERVICE_BUSY', retryAfter: 1 } }
  expect(() =>
    preparations.run(
      undefined,
      once(() => 'refused'),
    ),
  ).toThrow(expect.objectContaining(busy))
  await expect(late).rejects.toMatchObject(busy)
  await expect(waiting).resolves.toBe('in time')
})

test('what a preparation begins is part of it; what it throws reaches its request alone', async () => {
  const preparations = createPreparations(10)
  expect(
    preparations.run(
      undefined,
      once(() =>
        preparations.run(
          undefined,
          once(() => 'within'),
        ),
      ),
    ),
  ).toBe('within')
  const fails = once(() => {
    throw new Error('no plan')
  })
  const failing = preparations.run(undefined, fails)
  const next = preparations.run(
    undefined,
    once(() => 'next'),
  )
  await expect(failing).rejects.toThrow('no plan')
  expect(await next).toBe('next')
})

test('a long preparation leaves turns to others between its steps, and before its request goes on', async () => {
  const preparations = createPreparations(10)
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
  const first = preparations.run(undefined, work)
  expect(order).toEqual(['read'])
  const second = preparations.run(
    undefined,
    once(() => order.push('second')),
  )
  expect(await first).toBe('made')
  await second
  clearInterval(others)
  expect(order.filter((each) => each !== 'other')).toEqual(['read', 'plan', 'compile', 'second'])
  for (const step of ['plan', 'compile']) expect(order[order.indexOf(step) - 1]).toBe('other')
})

test('short steps follow each other at once', () => {
  const preparations = createPreparations(10)
  const made = preparations.run(undefined, function* () {
    yield
    yield
    return 'made'
  })
  expect(made).toBe('made')
})
