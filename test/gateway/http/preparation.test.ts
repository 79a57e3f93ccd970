/** New operations wait in a bounded line, and each has its own turn of the event loop. */
import { expect, test } from 'vitest'
import { createPreparations } from '../../../gateway/http/preparation.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first is prepared at once, the others one in each turn of the event loop, in their order', async () => {
  const preparations = createPreparations(10)
  const order: number[] = []
  const results = [1, 2, 3].map((n) => preparations.run(undefined, () => order.push(n)))
  expect(order).toEqual([1])
  expect(results[0]).toBe(1)
  await turn()
  expect(order).toEqual([1, 2])
  await turn()
  expect(order).toEqual([1, 2, 3])
  expect(await Promise.all(results)).toEqual([1, 2, 3])
  await turn()
  expect(preparations.run(undefined, () => 'at once again')).toBe('at once again')
})

test('beyond the line, and beyond the deadline, is SERVICE_BUSY with the time after which to come back', async () => {
  const preparations = createPreparations(2)
  expect(preparations.run(undefined, () => 'first')).toBe('first')
  const late = preparations.run(performance.now() - 1, () => 'too late')
  const waiting = preparations.run(undefined, () => 'in time')
  const busy = { extensions: { code: 'SERVICE_BUSY', retryAfter: 1 } }
  expect(() => preparations.run(undefined, () => 'refused')).toThrow(expect.objectContaining(busy))
  await expect(late).rejects.toMatchObject(busy)
  await expect(waiting).resolves.toBe('in time')
})

test('what a preparation begins is part of it; what it throws reaches its request alone', async () => {
  const preparations = createPreparations(10)
  expect(preparations.run(undefined, () => preparations.run(undefined, () => 'within'))).toBe('within')
  const failing = preparations.run(undefined, () => {
    throw new Error('no plan')
  })
  const next = preparations.run(undefined, () => 'next')
  await expect(failing).rejects.toThrow('no plan')
  expect(await next).toBe('next')
})
