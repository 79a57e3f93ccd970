/**
 * Numbers in variables that JSON would round are refused, because another value would be used without notice. Those that
 * a document or a schema has are sent with their digits, also as defaults.
 */
import { expect, test } from 'vitest'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { createHandler } from '../../gateway/hosts/library.ts'
import { json, startFaultyServer } from '../support/faulty-server.ts'
import { keepForFile } from '../support/keep.ts'

const subgraph = keepForFile(await startFaultyServer(json({ data: { same: 1 } })))
const typeDefs = 'scalar Big input In { n: Big = 9007199254740993 } type Query { same(n: Big, in: In): Big }'
const { supergraph = '' } = compose([{ name: 'big', url: subgraph.url, typeDefs }])
const graph = createHandler({ supergraph })
keepForFile({ [Symbol.asyncDispose]: () => graph.close() })

const query = 'query ($n: Big) { same(n: $n) }'
const ask = async (number: string, isPost = true): Promise<unknown> => {
  subgraph.arrived.length = 0
  const search = new URLSearchParams({ query, variables: `{"n":${number}}` })
  const { body } = await graph.respond({
    method: isPost ? 'POST' : 'GET',
    url: isPost ? '/graphql' : `/graphql?${search}`,
    headers: { 'content-type': 'application/json', 'apollo-require-preflight': 'yes' },
    body: isPost ? `{"query":"${query}","variables":{"n":${number}}}` : '',
  })
  return JSON.parse(String(body)).errors?.[0].extensions.code
}

test.each(['9007199254740993', '-12345678901234567890', '[{"a":12345678901234567890}]', '1e999'])(
  '%s is refused before any call',
  async (number) => {
    expect(await ask(number)).toBe('BAD_USER_INPUT')
    expect(await ask(number, false)).toBe('BAD_USER_INPUT')
    expect(subgraph.arrived).toEqual([])
  },
)

test.each([
  '9007199254740992',
  '12345678901234567000',
  '1e300',
  '0.1234567890123456789',
  '"9007199254740993"',
  '"a: 9007199254740993"',
])('%s is sent, because a double is what it means, or because it is a text', async (number) => {
  expect(await ask(number)).toBeUndefined()
  expect(JSON.parse(subgraph.arrived[0]?.body ?? '').variables).toEqual({ n: JSON.parse(number) })
})

const sentFor = async (query: string): Promise<string | undefined> => {
  subgraph.arrived.length = 0
  const { body } = await graph.respond({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  expect(JSON.parse(String(body))).toEqual({ data: { same: 1 } })
  return subgraph.arrived[0]?.body
}

test.each([
  ['9007199254740993', '9007199254740993'],
  [
    '[-12345678901234567890, { a: 0.12345678901234567890123 }]',
    '[-12345678901234567890,{"a":0.12345678901234567890123}]',
  ],
  ['1e999', '1e999'],
  ['{ a: [1, 1.5, "1", true, null, A] }', '{"a":[1,1.5,"1",true,null,"A"]}'],
])('the default %s of a variable is sent with its digits', async (written, sent) => {
  expect(await sentFor(`query ($n: Big = ${written}) { same(n: $n) }`)).toContain(`"variables":{"n":${sent}}`)
})

test('so is the default of a field of an input object', async () => {
  expect(await sentFor('query ($in: In = {}) { same(in: $in) }')).toContain(
    '"variables":{"in":{"n":9007199254740993}}',
  )
})
