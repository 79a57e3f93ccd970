/**
 * Numbers in variables that JSON would round are refused, because another value would be used without notice.
 */
import { expect, test } from 'vitest'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { createHandler } from '../../gateway/hosts/library.ts'
import { keepForFile } from '../support/keep.ts'
import { startScripted } from '../support/scripted-service.ts'

const subgraph = keepForFile(await startScripted({ body: { data: { same: 1 } } }))
const typeDefs = 'scalar Big type Query { same(n: Big): Big }'
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
  expect(subgraph.arrived[0]?.body.variables).toEqual({ n: JSON.parse(number) })
})
