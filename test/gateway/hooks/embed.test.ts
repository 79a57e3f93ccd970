/** Hooks of a program that embeds the gateway: as a function, and inside of Apollo Server. */
import { ApolloServer } from '@apollo/server'
import { expect, test, vi } from 'vitest'
import { createHttpTransport, createInProcessTransport } from '../../../engine/subgraphs/index.ts'
import { compose } from '../../../engine/supergraph/compose/index.ts'
import { readConfig } from '../../../gateway/config/index.ts'
import { defineHooks, type Hooks, hookTransport, refuse, Stages } from '../../../gateway/hooks/index.ts'
import { tesseraGateway } from '../../../gateway/hosts/apollo.ts'
import { createHandler } from '../../../gateway/hosts/library.ts'
import { createLogger } from '../../../gateway/telemetry/log.ts'
import { Metrics } from '../../../gateway/telemetry/metrics/index.ts'
import { json, startFaultyServer } from '../../support/faulty-server.ts'
import { createTestSubgraph } from '../../support/federation.ts'

const subgraph = createTestSubgraph('one', {
  sdl: 'type Query { a(n: Int): Int b: Int @policy(policies: [["p"]]) }',
  resolvers: { Query: { a: (_: unknown, { n }: { n?: number }) => n ?? 1, b: () => 2 } },
})
const composition = compose([{ name: 'one', url: 'http://127.0.0.1:1/graphql', typeDefs: subgraph.typeDefs }])
const supergraph = composition.supergraph ?? ''
const { config } = readConfig({ TESSERA_LOG_LEVEL: 'silent' })
if (config === undefined) throw new Error('no configuration')

const circle: Record<string, unknown> = {}
circle.circle = circle
const seen: string[] = []
let closed = 0
const hooks = defineHooks({
  onRequest({ headers }) {
    seen.push('request')
    if (headers['x-stop'] !== undefined) return refuse('Stopped.', { code: 'STOPPED', status: 418 })
  },
  onIdentity: () => ({ identity: { subject: 'anna', scopes: ['x'] } }),
  onOperation({ identity, operation, variables }) {
    seen.push(`${operation.type} by ${identity.subject}`)
    return { variables: { ...variables, n: 5 } }
  },
  decidePolicies: ({ policies, headers }) => (headers['x-policy'] === undefined ? [] : policies),
  onSubgraphRequest({ fetch }) {
    if (fetch.variables.n === 6) return { answer: { data: { a: 66 } } }
    seen.push(`${fetch.subgraph} ${fetch.type}`)
  },
  onSubgraphAnswer({ answer }) {
    seen.push(JSON.stringify(answer.data))
  },
  onAnswer: ({ data }) => ({ extensions: { data }, data: { ...data, a: 9 } }),
  close() {
    closed += 1
  },
})
const options = {
  config,
  supergraph,
  hooks,
  transports: new Map([['one', createInProcessTransport(subgraph)]]),
}

test('a handler that is closed twice closes nothing that another one uses', async () => {
  const close = vi.fn()
  const shared = { ...options, hooks: defineHooks({ close }) }
  const [before, after] = [createHandler(shared), createHandler(shared)]
  await Promise.all([before.close(), before.close()])
  expect(close).not.toHaveBeenCalled()
  await after.close()
  expect(close).toHaveBeenCalledOnce()
})

test('a handler runs hooks at every stage, and closes them', async () => {
  const graph = createHandler(options)
  seen.length = 0
  const { data, errors, extensions } = await graph.execute({ query: 'query ($n: Int) { a(n: $n) }' })
  expect([data, errors, extensions]).toEqual([{ a: 9 }, undefined, { data: { a: 5 } }])
  expect(seen).toEqual(['request', 'query by anna', 'one query', '{"a":5}'])
  const stopped = await graph.execute({ query: '{ a }', headers: { 'x-stop': '1' } })
  expect(stopped.errors?.[0]?.extensions).toEqual({ code: 'STOPPED' })
  expect((await graph.execute({ query: '{ b }' })).errors?.[0]?.extensions.code).toBe(
    'UNAUTHORIZED_FIELD_OR_TYPE',
  )
  expect((await graph.execute({ query: '{ b }', headers: { 'x-policy': '1' } })).data).toEqual({ b: 2, a: 9 })
  const answer = await graph.respond({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ a }"}',
  })
  expect(JSON.parse(answer.body.toString())).toEqual({ extensions: { data: { a: 1 } }, data: { a: 9 } })
  await graph.close()
  expect(closed).toBe(1)
})

test('hooks are called as methods of their object', async () => {
  const told: Record<string, unknown> & { stages: string[] } = { stages: [] }
  const order = 'onIdentity decidePolicies onOperation onSubgraphRequest onSubgraphAnswer onAnswer'
  const names = order.split(' ')
  for (const name of names)
    told[name] = function (this: typeof told) {
      this.stages.push(name)
      return name === 'decidePolicies' ? ['p'] : undefined
    }
  const graph = createHandler({ ...options, hooks: told as Hooks })
  expect(await graph.execute({ query: '{ b }' })).toEqual({ data: { b: 2 } })
  expect(told.stages).toEqual(names)
  await graph.close()
})

test.each([
  [null, undefined],
  [undefined, undefined],
  [42, '42'],
  ['anna', 'anna'],
])('a hook that gives the subject %j lets in %j', async (subject, expected) => {
  const subjects: unknown[] = []
  const graph = createHandler({
    ...options,
    hooks: {
      onIdentity: () => ({ identity: { subject: subject as string } }),
      onOperation: ({ identity }) => void subjects.push(identity.subject),
    },
  })
  expect(await graph.execute({ query: '{ a }' })).toEqual({ data: { a: 1 } })
  expect(subjects).toEqual([expected])
  await graph.close()
})

test('a hook may return its event, changed where it may be changed', async () => {
  const graph = createHandler({
    ...options,
    hooks: defineHooks({
      onRequest: (event) => event,
      onIdentity: (event) => event,
      onOperation: (event) => ({ ...event, variables: { ...event.variables, n: 5 } }),
      onSubgraphRequest: (event) => ({ ...event, headers: { 'x-tenant': 'shop' } }),
      onSubgraphAnswer: (event) => ({ ...event, answer: { data: { a: 7 } } }),
      onAnswer: ({ headers: _, data, ...event }) => ({ ...event, data: { ...data, b: 1 } }),
    }),
  })
  expect(await graph.execute({ query: 'query ($n: Int) { a(n: $n) }' })).toEqual({ data: { a: 7, b: 1 } })
  await graph.close()
})

test.each<[string, Hooks]>([
  ['request', { onRequest: (event) => ({ ...event, url: '/other' }) }],
  ['identity', { onIdentity: (event) => ({ ...event, headers: {} }) }],
  ['operation', { onOperation: (event) => ({ ...event, identity: { ...event.identity, scopes: [] } }) }],
  [
    'subgraphRequest',
    { onSubgraphRequest: ({ fetch }) => ({ fetch: { ...fetch, text: '{ b }' } }) as object },
  ],
  ['subgraphAnswer', { onSubgraphAnswer: (event) => ({ ...event, status: 500 }) }],
  ['answer', { onAnswer: () => ({ status: 404 }) as object }],
])('a hook may not return what its stage cannot change: %s', async (_, hooks) => {
  const graph = createHandler({ ...options, hooks })
  expect((await graph.execute({ query: '{ a }' })).errors?.[0]?.extensions.code).toBe('HOOK_FAILED')
  await graph.close()
})

test.each<[string, Hooks]>([
  ['the extensions of a refusal', { onRequest: () => refuse('No.', { extensions: { big: 1n } }) }],
  ['a subject', { onIdentity: () => ({ identity: { subject: { id: 1 } as never } }) }],
  ['a subject that JSON has rounded', { onIdentity: () => ({ identity: { subject: (2 ** 60) as never } }) }],
  ['variables', { onOperation: () => ({ variables: { n: 1n } }) }],
  ['variables of a fetch', { onSubgraphRequest: () => ({ variables: { n: 1n } }) }],
  ['the answer of a fetch', { onSubgraphRequest: () => ({ answer: { data: { a: [circle] } } }) }],
  ['data', { onAnswer: () => ({ data: circle }) }],
  ['extensions', { onAnswer: () => ({ extensions: { big: 1n } }) }],
  ['the extensions of an error', { onAnswer: () => ({ errors: [{ message: 'No.', extensions: circle }] }) }],
  ['headers without properties', { onRequest: () => ({ headers: new Headers({ x: 'y' }) as never }) }],
  ['variables without properties', { onOperation: () => ({ variables: new Map() as never }) }],
])('a hook has failed if its result cannot be used: %s', async (_what, faulty) => {
  const graph = createHandler({ ...options, hooks: faulty })
  const body = JSON.stringify({ query: 'query ($n: Int) { a(n: $n) }' })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const response = await graph.fetch(new Request('http://a.test/', init))
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'HOOK_FAILED' } }] })
  await graph.close()
})

test('hooks see the status and the headers of each response, also of equal fetches at the same time', async () => {
  await using server = await startFaultyServer(json({ data: { a: 1 } }, 201))
  const answers: unknown[] = []
  const graph = createHandler({
    ...options,
    hooks: defineHooks({
      onSubgraphAnswer({ status, answerHeaders }) {
        answers.push([status, answerHeaders['content-type']])
      },
    }),
    transports: new Map([['one', createHttpTransport({ name: 'one', url: server.url, share: {} })]]),
  })
  await Promise.all([1, 2].map(() => graph.execute({ query: '{ a }' })))
  expect(answers).toEqual(Array(2).fill([201, expect.stringContaining('json')]))
  expect(server.arrived).toHaveLength(2)
  await graph.close()
})

test('Apollo Server runs hooks, too', async () => {
  const server = new ApolloServer({ gateway: tesseraGateway(options) })
  await server.start()
  const ask = async (query: string, headers: [string, string][] = []) => {
    const { body } = await server.executeOperation(
      { query, http: { method: 'POST', headers: new Map(headers) as never, search: '', body: {} } },
      {},
    )
    return body.kind === 'single' ? body.singleResult : undefined
  }
  expect((await ask('{ a }'))?.data).toEqual({ a: 9 })
  expect((await ask('{ a }', [['x-stop', '1']]))?.errors?.[0]?.extensions).toMatchObject({ code: 'STOPPED' })
  await server.stop()
})

test('a file of hooks has to be loaded before it is given to a handler', () => {
  const named = readConfig({ TESSERA_LOG_LEVEL: 'silent', TESSERA_HOOKS: '/somewhere.ts' }).config ?? config
  expect(() => createHandler({ ...options, config: named })).toThrow('TESSERA_HOOKS: load the file')
})

test('without hooks for a subgraph nothing wraps its transport, and no stage is called', () => {
  const parts = {
    metrics: new Metrics(),
    traces: undefined,
    log: createLogger({ level: 'silent' }),
    labels: [],
  }
  const sourceOf = (own: Hooks) => ({ name: 'option', timeoutMs: 1, hooks: own })
  const stages = new Stages({ ...parts, sources: [sourceOf({ ...hooks, subgraphs: ['other'] })] })
  const transport = createInProcessTransport(subgraph)
  expect(hookTransport(transport, stages)).toBe(transport)
  expect(stages.labels).toBeUndefined()
  const none = new Stages({ ...parts, sources: [sourceOf({})] })
  for (const stage of ['request', 'identity', 'operation', 'policies', 'labels', 'answer'] as const)
    expect(none[stage]).toBeUndefined()
})
