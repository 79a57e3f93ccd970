/** The order of the steps, and the places of hooks between them. */
import { expect, test } from 'vitest'
import { HookRefusal, type Stages } from '../../../../gateway/hooks/index.ts'
import { withHooks } from '../../../../gateway/pipeline/hook-steps.ts'
import { steps } from '../../../../gateway/pipeline/steps/index.ts'
import { anonymous } from '../../../../shared/identity.ts'
import { arriving, authorized, partsOf } from './kit.ts'

const names = [
  'authenticate',
  'readDocument',
  'prepare',
  'authorize',
  'checkVariables',
  'limit',
  'price',
  'execute',
  'report',
]
const hooks = {
  request: async () => undefined,
  identity: async () => anonymous,
  operation: async () => ({ x: [1, 2, 3] }),
  attach() {},
  labels: async () => {},
  answer: async () => undefined,
} as unknown as Stages

test('the steps are these, in this order, and only the last one runs whatever came before', () => {
  expect(steps.map(({ name }) => name)).toEqual(names)
  expect(steps.filter(({ always }) => always).map(({ name }) => name)).toEqual(['report'])
  expect(withHooks(steps, undefined)).toBe(steps)
})

test('hooks stand between them by name', () => {
  expect(withHooks(steps, hooks).map(({ name }) => name)).toEqual([
    ...['hook request', 'authenticate', 'hook identity', 'readDocument', 'prepare', 'authorize'],
    ...['checkVariables', 'hook operation', 'hooks of subgraphs', 'hook labels', 'limit', 'price'],
    ...['execute', 'hook answer', 'report'],
  ])
})

const step = (name: string, given: object = {}) =>
  withHooks(steps, Object.assign({}, hooks, given) as Stages).find((each) => each.name === name)

test('a hook that refuses ends the pipeline, with its headers', async () => {
  const refusal = Object.assign(Object.create(HookRefusal.prototype), {
    error: new Error('no'),
    head: ['a', 'b'],
  })
  const context = arriving()
  const end = await step('hook request', { request: async () => refusal })?.run(context, partsOf({}))
  expect(end).toEqual({ errors: [refusal.error] })
  expect(context.head).toEqual(['a', 'b'])
})

test('headers that a hook changes are those that later steps see, and not those of the log', () => {
  const context = arriving({ sentHeaders: { a: '1', b: '2' } })
  context.changeHeaders(new Map([['a', '3']]))
  context.changeHeaders(new Map([['b', undefined]]))
  expect([context.header('a'), context.header('b'), context.headerNames()]).toEqual(['3', undefined, ['a']])
  expect(context.event.headers).toEqual({ a: '3' })
  expect(context.sent.header('b')).toBe('2')
})

test('variables that a hook changes are checked again', async () => {
  const limits = { listItems: 2, values: 10, nesting: 5 } as never
  await expect(step('hook operation')?.run(authorized(), partsOf({ limits }))).rejects.toThrow()
})
