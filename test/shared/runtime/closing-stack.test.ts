/** What was opened is closed once, the last first, and completely. */
import { expect, test } from 'vitest'
import { ClosingStack } from '../../../shared/runtime/closing-stack.ts'

test('closes the last first, one after the other, and only once', async () => {
  const closed: string[] = []
  const stack = new ClosingStack()
  stack.add(() => closed.push('first'))
  stack.add(async () => {
    await Promise.resolve()
    closed.push('second')
  })
  stack.add(() => closed.push('third'))
  await Promise.all([stack.close(), stack.close()])
  expect(closed).toEqual(['third', 'second', 'first'])
})

test('closes the rest if something cannot be closed, and rejects with the first reason', async () => {
  const closed: string[] = []
  const stack = new ClosingStack()
  stack.add(() => closed.push('first'))
  stack.add(() => {
    throw new Error('a later reason')
  })
  stack.add(() => Promise.reject(new Error('the first reason')))
  await expect(stack.close()).rejects.toThrow('the first reason')
  expect(closed).toEqual(['first'])
})

test('closes everything after a failure without another one', async () => {
  const closed: string[] = []
  const stack = new ClosingStack()
  stack.add(() => closed.push('first'))
  stack.add(() => Promise.reject(new Error('it cannot be closed')))
  await expect(stack.abandon()).resolves.toBeUndefined()
  expect(closed).toEqual(['first'])
})
