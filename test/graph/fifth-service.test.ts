/**
 * A fifth service, added by the steps of "Adding a service" in docs/architecture.md: a folder, an SDL, a stand-in and
 * its lines in the rolls. Everything else follows from its description.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { toGlobalId } from '../../shared/graphql/global-id.ts'
import { isFull } from '../support/campaign-size.ts'
import { root } from '../support/deploy.ts'
import { addFifthService } from '../support/fifth-service/add.ts'
import { keepForFile } from '../support/keep.ts'

const copy = await addFifthService()
afterAll(() => copy.remove())

const load = <Module>(path: string): Promise<Module> =>
  import(/* @vite-ignore */ pathToFileURL(join(copy.folder, path)).href)

const { startGraph } = await load<typeof import('../support/graph.ts')>('test/support/graph.ts')
const graph = keepForFile(await startGraph())
beforeEach(() => graph.sandbox.reset())

const scope = 'books.read'
const ask = (query: string, variables = {}) => graph.ask(query, variables, { scope })
/** The calls of the service so far: the operation with its query. */
const calls = () =>
  graph.sandbox.journal.map(({ operation, query }) => `${operation} ${decodeURIComponent(query.toString())}`)
const idOf = (bookId: string): string => toGlobalId('Book', bookId)

test.skipIf(!isFull)('the copy type-checks, the generated types of the service among it', async () => {
  const config = join(copy.folder, 'tsconfig.copy.json')
  const include = ['shared', 'engine', 'explorer', 'fast', 'subgraphs', 'gateway', 'sandbox']
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include }))
  // More checkers would work at the same time, and each would read the types of the library.
  await copy.run('tsc', '--noEmit', '--checkers', '1', '-p', config)
})

test('the generated code of the other services stays unchanged', () => {
  for (const name of ['videos', 'agents', 'messages', 'metrics']) {
    const file = `subgraphs/${name}/types.generated.ts`
    expect(copy.read(file), file).toBe(readFileSync(join(root, file), 'utf8'))
  }
  expect(copy.read('schema/nodes.graphql')).toContain('type Book implements Node')
})

describe('its list', () => {
  test('is a connection: a call a page, none of which is read twice', async () => {
    const query =
      'query ($after: String) { books(first: 3, after: $after) { totalCount nodes { title } pageInfo { hasNextPage endCursor } } }'
    const titles: string[] = []
    let after: string | null = null
    do {
      const { data, errors } = await ask(query, { after })
      expect([errors, data.books.totalCount]).toEqual([[], 7])
      titles.push(...data.books.nodes.map(({ title }: { title: string }) => title))
      after = data.books.pageInfo.hasNextPage ? data.books.pageInfo.endCursor : null
    } while (after !== null)
    expect(titles).toEqual(['Emma', 'The Castle', 'Dracula', 'Middlemarch', 'Persuasion', 'Walden', 'Faust'])
    expect(calls()).toEqual([
      'books.list size=3&lang=en',
      'books.list size=3&lang=en&token=3',
      'books.list size=3&lang=en&token=6',
    ])
  })
})

describe('its objects', () => {
  test('are read by their ids, all of a moment in one call', async () => {
    const { data, errors } = await ask(
      '{ a: book(bookId: "b1") { title } b: book(bookId: "b5") { title } c: book(bookId: "b9") { title } }',
    )
    expect([data, errors]).toEqual([{ a: { title: 'Emma' }, b: { title: 'Persuasion' }, c: null }, []])
    expect(calls()).toEqual(['books.get ids=b1,b5,b9&lang=en'])
  })

  test('are found by their global ids, beside those of other services', async () => {
    const ids = ['b3', 'b2', 'b8'].map(idOf)
    const { data, errors } = await ask(
      '{ nodes(ids: $ids) { id ... on Book { title } } node(id: $id) { __typename ... on Book { bookId } } }'.replace(
        '{',
        'query ($ids: [ID!]!, $id: ID!) {',
      ),
      { ids, id: idOf('b4') },
    )
    expect(errors).toEqual([])
    expect(data.nodes).toEqual([{ id: ids[0], title: 'Dracula' }, { id: ids[1], title: 'The Castle' }, null])
    expect(data.node).toEqual({ __typename: 'Book', bookId: 'b4' })
    expect(calls()).toEqual(['books.get ids=b3,b2,b8&lang=en'])
  })

  test('have ids of one form, which is checked before any call', async () => {
    const { data, errors } = await ask(`{ node(id: "${idOf('x')}") { id } book(bookId: "x") { title } }`)
    expect([data, errors.map(({ extensions }) => extensions.code)]).toEqual([
      { node: null, book: null },
      ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
    ])
    expect(calls()).toEqual([])
  })
})

test('a caller without its scope gets null, the name of the scope, and makes no call', async () => {
  const { data, errors } = await graph.ask(
    '{ __typename books { nodes { title } } }',
    {},
    { scope: 'media.read' },
  )
  expect([data, errors.map(({ extensions }) => extensions.code)]).toEqual([
    { __typename: 'Query', books: null },
    ['UNAUTHORIZED_FIELD_OR_TYPE'],
  ])
  expect(JSON.stringify(errors)).toContain(scope)
  expect(calls()).toEqual([])
})

test.for([
  '{ book(bookId: "b1") { title } }',
  '{ a: book(bookId: "b1") { title } b: book(bookId: "b2") { title } }',
  '{ books { nodes { title } } }',
  '{ books(first: 7) { nodes { title } } }',
  `{ node(id: "${idOf('b1')}") { ... on Book { title } } }`,
  `{ node(id: "${idOf('b1')}") { ... on Book { bookId } } }`,
  `{ nodes(ids: ${JSON.stringify(['b1', 'b2', 'b3', 'b4', 'b5', 'b6'].map(idOf))}) { ... on Book { title } } books { nodes { id } } }`,
])('its calls are estimated as they are made: %s', async (query) => {
  const { extensions } = await graph.ask(query, {}, { scope, headers: { 'tessera-explain': '1' } })
  expect(calls()).toEqual([])
  const { errors } = await ask(query)
  expect(errors).toEqual([])
  const made = calls().length
  expect(extensions?.explain).toMatchObject({ units: 0, calls: made === 0 ? {} : { books: made } })
})

test('its state is part of the health of the gateway', async () => {
  const response = await fetch(new URL('/health/ready', graph.url))
  expect(JSON.stringify(await response.json())).toContain('"books"')
})

test('its variables are known, named in the documents, and suggested', async () => {
  const { readConfig } = await load<typeof import('../../gateway/config/index.ts')>('gateway/config/index.ts')
  const env = {
    TESSERA_BOOKS_URL: 'http://127.0.0.1:8080/',
    TESSERA_BOOKS_CREDENTIAL: 'forward',
    TESSERA_BOOKS_LANGUAGE: 'de',
    TESSERA_BOOKS_SUBGRAPH_URL: 'http://127.0.0.1:4006/graphql',
    TESSERA_SUBGRAPH_SECRET: 'sixteen letters!',
  }
  const { config, faults } = readConfig(env)
  expect(faults).toBeUndefined()
  expect(config?.services).toMatchObject({
    books: {
      url: 'http://127.0.0.1:8080',
      credential: { kind: 'forward', header: 'x-books-authorization' },
      language: 'de',
    },
  })
  expect(config?.subgraph.urls).toEqual({ books: 'http://127.0.0.1:4006/graphql' })
  expect(readConfig({ TESSERA_BOOK_URL: 'http://127.0.0.1:8080' }).faults?.join()).toContain(
    'did you mean TESSERA_BOOKS_URL?',
  )
  expect(readConfig({ TESSERA_BOOKS_LANGUAGE: 'fr' }).faults).toEqual([
    'TESSERA_BOOKS_LANGUAGE: expected en or de',
  ])
  const page = copy.read('docs/configuration.md')
  for (const row of [
    '`TESSERA_BOOKS_URL` | Base URL of the book service; by default the sandbox. |',
    '`TESSERA_BOOKS_CREDENTIAL` | How the book service is called: [credentials](#credentials). |',
    '`TESSERA_BOOKS_LANGUAGE` | The language of the titles. | `en`, `de` | `en` |',
    '`TESSERA_BOOKS_SUBGRAPH_URL` | Use this remote books subgraph. |',
  ])
    expect(page).toContain(row)
})

test('its settings and its credential reach the service', async () => {
  await using other = await startGraph({
    env: { TESSERA_BOOKS_LANGUAGE: 'de', TESSERA_BOOKS_CREDENTIAL: 'bearer:a-token-of-ours' },
  })
  const { data } = await other.ask('{ book(bookId: "b2") { title } }', {}, { scope })
  expect(data).toEqual({ book: { title: 'Das Schloss' } })
  expect(other.sandbox.journal.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer a-token-of-ours',
  ])
})

test('tessera check asks it, and tessera subgraph knows it', async () => {
  const checked = await copy.run('node', 'gateway/main.ts', 'check')
  expect(checked).toMatch(/^ok +books +sandbox\b.* asked for a book$/m)
  await expect(copy.run('node', 'gateway/main.ts', 'subgraph')).rejects.toThrow(/metrics, books, nodes/)
})
