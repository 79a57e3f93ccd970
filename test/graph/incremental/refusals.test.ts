/** Refused fields of operations with `@defer` or `@stream`. */
import { expect, test } from 'vitest'
import { keepForFile } from '../../support/keep.ts'
import { ask, type Payload, startSetting } from './kit.ts'

const setting = keepForFile(await startSetting())

const asked = async (query: string): Promise<{ status: number; payloads: Payload[] }> => {
  const answer = await ask(setting.url, query, 'multipart/mixed;deferSpec=20220824, application/json')
  return { status: answer.status, payloads: await answer.rest() }
}
const pathsIn = (payloads: readonly Payload[]): unknown[] =>
  payloads
    .flatMap((each) => [each, ...(each.incremental ?? [])])
    .flatMap(({ errors = [] }) => errors.map(({ path }: { path: unknown }) => path))

test('items that are streamed report what is refused of them, and their list does not', async () => {
  const { payloads } = await asked('{ items @stream(initialCount: 0) { id secret } }')
  expect(payloads[0]).toEqual({ data: { items: [] }, hasNext: true })
  expect(pathsIn(payloads)).toEqual([0, 1, 2, 3, 4].map((index) => ['items', index, 'secret']))
})

test('an operation of which nothing is left says why, whatever of it is deferred', async () => {
  const plain = await asked('{ items { secret } }')
  expect(plain).toMatchObject({ status: 401, payloads: [{ errors: [{ path: ['items'] }] }] })
  for (const query of [
    '{ ... @defer { items { secret } } }',
    '{ ... @defer { items @stream(initialCount: 0) { secret } } }',
    '{ items { ... @defer { secret } } }',
  ])
    expect([query, await asked(query)]).toEqual([query, plain])
})

test.each([
  '{ item(id: "1") { secret } ... @defer { item(id: "1") { name } } }',
  '{ tags ... @defer { item(id: "1") { secret } ... @defer { item(id: "1") { name } } } }',
])('an object of which only a deferred part is left is there for that part: %s', async (query) => {
  const { payloads } = await asked(query)
  expect(JSON.stringify(payloads)).toMatch(/"item":{"secret":null}.*{"name":"Item 1"}/)
  expect(pathsIn(payloads)).toEqual([['item', 'secret']])
})

test('a list of which only a streamed part is left has all its items', async () => {
  const query = '{ items { secret } items @stream(initialCount: 1) { id ... @defer { name } } }'
  const { payloads } = await asked(query)
  expect(payloads[0]?.data.items).toEqual([1, 2, 3, 4, 5].map((id) => ({ id: `${id}`, secret: null })))
})
