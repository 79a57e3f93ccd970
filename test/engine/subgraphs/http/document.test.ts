/**
 * How a request names its document: by its text, by its hash, and by its text again if the subgraph does not know the
 * hash.
 */
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHttpTransport } from '../../../../engine/subgraphs/index.ts'
import { testGatewayRequest } from '../../../support/federation.ts'
import { type Arrived, type Scripted, startScripted } from '../../../support/scripted-service.ts'
import { subgraphOperation } from '../../../support/subgraph-operation.ts'

const unknown: Scripted = {
  body: {
    errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
  },
}

async function fetches(
  kind: 'query' | 'mutation',
  times: number,
  answer: (arrived: Arrived, at: number) => Scripted,
  hashes = true,
) {
  let at = 0
  await using service = await startScripted((arrived) => answer(arrived, at++))
  const transport = createHttpTransport({
    name: 'one',
    url: `${service.url}/graphql`,
    hashes,
    passErrors: true,
  })
  const text = `${kind} One{a}`
  const fetch = transport.prepare(subgraphOperation(text))
  const answers: unknown[] = []
  for (let turn = 0; turn < times; turn++) {
    const { data, errors } = await fetch({ turn }, testGatewayRequest())
    answers.push(data ?? errors?.map(({ extensions }) => extensions?.code))
  }
  await transport.close()
  const sent = service.arrived.map(({ body: { query, extensions, variables, operationName } }) => {
    expect(operationName).toBe('One')
    if (extensions !== undefined) expect(extensions.persistedQuery.sha256Hash).toBe(hash('sha256', text))
    const parts = [query === undefined ? '' : 'text', extensions === undefined ? '' : 'hash']
    return `${parts.filter((part) => part !== '').join(' and ')} ${variables.turn}`
  })
  return { answers, sent }
}

const fine: Scripted = { body: { data: { a: 1 } } }

test('a query is sent whole once, and by its hash from then on', async () => {
  const { answers, sent } = await fetches('query', 3, () => fine)
  expect(sent).toEqual(['text and hash 0', 'hash 1', 'hash 2'])
  expect(answers).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }])
})

test('if its hash is not known, another replica for instance, it is sent whole again', async () => {
  const { answers, sent } = await fetches('query', 4, (_, at) => (at === 1 || at === 4 ? unknown : fine))
  expect(sent).toEqual([
    'text and hash 0',
    'hash 1',
    'text and hash 1',
    'hash 2',
    'hash 3',
    'text and hash 3',
  ])
  expect(answers).toEqual(Array.from({ length: 4 }, () => ({ a: 1 })))
})

test('if its hash is forgotten again and again, it is sent whole from then on', async () => {
  const { sent } = await fetches('query', 60, ({ body }) => (body.query === undefined ? unknown : fine))
  expect(sent.filter((one) => one.startsWith('hash '))).toHaveLength(50)
  expect(sent.slice(-5).every((one) => one.startsWith('text and hash '))).toBe(true)
})

test('a query that was not executed whole is not sent by its hash', async () => {
  const { sent } = await fetches('query', 2, () => ({ status: 500, body: {} }))
  expect(sent).toEqual(['text and hash 0', 'text and hash 1'])
})

test('a mutation is sent whole, once, whatever is answered', async () => {
  const { answers, sent } = await fetches('mutation', 2, () => unknown)
  expect(sent).toEqual(['text 0', 'text 1'])
  expect(answers).toEqual([['UPSTREAM_BAD_RESPONSE'], ['UPSTREAM_BAD_RESPONSE']])
})

test('a query whose data contain PERSISTED_QUERY_NOT_FOUND is not sent again', async () => {
  const { sent } = await fetches('query', 3, () => ({
    body: {
      data: { a: 'PERSISTED_QUERY_NOT_FOUND' },
      errors: unknown.body && (unknown.body as { errors: [] }).errors,
    },
  }))
  expect(sent).toEqual(['text and hash 0', 'hash 1', 'hash 2'])
})

test('other subgraphs get only documents', async () => {
  const { sent } = await fetches('query', 2, () => fine, false)
  expect(sent).toEqual(['text 0', 'text 1'])
})
