import { expect, test } from 'vitest'
import { readDocument } from '../../../../gateway/pipeline/steps/read-document.ts'
import { arriving } from './kit.ts'

const documents = (text: string | Promise<string>) => ({
  documents: { read: () => text, known: () => undefined, keep() {} },
  timeoutMs: 5000,
})

test('the document, its variables and its deadline are known after it', () => {
  const context = arriving({ text: '{ b }', variables: { x: 1 } })
  expect(context.deadline).toBe(Number.POSITIVE_INFINITY)
  const before = performance.now()
  expect(readDocument.run(context, documents('{ b }'))).toBeUndefined()
  expect(context.text).toBe('{ b }')
  expect(context.variables).toEqual({ x: 1 })
  expect(context.isNamed).toBe(false)
  expect(context.deadline).toBeGreaterThanOrEqual(before + 5000)
})

test('a document that a hash names is waited for', async () => {
  const context = arriving({
    params: () => ({ query: undefined, operationName: undefined, variables: undefined, extensions: {} }),
  } as never)
  await readDocument.run(context, documents(Promise.resolve('{ kept }')))
  expect(context.text).toBe('{ kept }')
  expect(context.isNamed).toBe(true)
})

test('malformed parameters end the pipeline', () => {
  const context = arriving({
    params() {
      throw new Error('malformed')
    },
  } as never)
  expect(() => readDocument.run(context, documents(''))).toThrow('malformed')
})
