/**
 * Equal queries that run at the same time are executed once. No caller reads fields that only another caller may see.
 */
import '../support/seed.ts'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Asking, startGatedGraph } from '../support/gated-graph.ts'
import { keepForFile } from '../support/keep.ts'
import { until } from '../support/router.ts'

const note = 'query Note($id: ID!) { note(id: $id) { id version price } }'
const one = { id: '1' }

test('equal queries under way are executed once, and each gets the answer', async () => {
  await using graph = await startGatedGraph()
  graph.notes.isOpen = false
  const asked = Array.from({ length: 10 }, (_, at) =>
    graph.ask(note, { variables: one, headers: { 'x-request-id': `r${at}` } }),
  )
  await graph.untilJoined(9)
  graph.notes.isOpen = true
  const answers = await Promise.all(asked)
  const alone = await graph.ask(note, { variables: one })
  for (const [at, answer] of answers.entries()) {
    expect(answer.text).toBe(alone.text)
    expect(answer.headers.get('x-request-id')).toBe(`r${at}`)
  }
  expect(graph.notes.arrived).toHaveLength(2)
  expect(graph.prices.arrived).toHaveLength(2)
})

test('other variables, another operation and another credential are executed by themselves', async () => {
  await using graph = await startGatedGraph()
  graph.notes.isOpen = false
  const asked = [
    graph.ask(note, { variables: one }),
    graph.ask(note, { variables: { id: '2' } }),
    graph.ask(`${note} # another text`, { variables: one }),
    graph.ask(note, { variables: one, credential: 'a' }),
    graph.ask(note, { variables: one, credential: '' }),
  ]
  // The third one is another operation with an equal fetch.
  await until(() => graph.notes.waiting() === 4, 'four fetches')
  await graph.untilJoined(1, 'notes')
  graph.notes.isOpen = true
  await Promise.all(asked)
  expect(await graph.joined()).toBe(0)
  expect(graph.prices.arrived.map(({ headers }) => headers['x-prices-authorization'])).toContain('a')
})

test('a read joins nothing that began before its caller last changed something', async () => {
  await using graph = await startGatedGraph()
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((subject) => graph.token('', subject)))
  // Neither token reaches this subgraph, so that both callers are of one class.
  for (const [token, other] of [
    [alice, bob],
    [undefined, alice],
  ]) {
    const before = graph.prices.arrived.length
    graph.prices.isOpen = false
    const price = '{ pricesCaller }'
    const early = graph.ask(price, { token })
    await until(() => graph.prices.waiting() === 1, 'the first fetch')
    await graph.ask('mutation { write(id: "9") { id } }', { token })
    const late = graph.ask(price, { token })
    await until(() => graph.prices.waiting() === 2, 'a fetch of its own')
    const joins = await graph.joined()
    const others = graph.ask(price, { token: other })
    await graph.untilJoined(joins + 1)
    graph.prices.isOpen = true
    await Promise.all([early, late, others])
    expect(graph.prices.arrived.length - before).toBe(2)
  }
})

test('a caller that goes away does not end it for the others, and the last one ends it', async () => {
  await using graph = await startGatedGraph()
  graph.notes.isOpen = false
  const leavers = Array.from({ length: 3 }, () => new AbortController())
  const [first, second, third] = leavers
  const gone: Promise<unknown>[] = []
  const start = async (leaver: AbortController | undefined, joins: number): Promise<void> => {
    gone.push(graph.ask(note, { variables: one, signal: leaver?.signal }).catch(() => 'gone'))
    if (joins === 0) await until(() => graph.notes.waiting() === 1, 'the fetch')
    else await graph.untilJoined(joins)
  }
  await start(first, 0)
  await start(second, 1)
  const patient = graph.ask(note, { variables: one })
  await graph.untilJoined(2)
  first?.abort()
  second?.abort()
  expect(await Promise.all(gone)).toEqual(['gone', 'gone'])
  // The gateway has heard of it when it has answered what is sent afterwards, and so has the subgraph.
  for (let round = 0; round < 2; round++) await graph.ask('{ pricesCaller }')
  expect(graph.notes.givenUp()).toBe(0)
  graph.notes.isOpen = true
  expect((await patient).data.note.id).toBe('1')
  expect(graph.notes.arrived).toHaveLength(1)

  graph.notes.isOpen = false
  gone.length = 0
  await start(third, 0)
  const fourth = new AbortController()
  await start(fourth, 3)
  third?.abort()
  fourth.abort()
  await until(() => graph.notes.givenUp() === 1, 'the fetch is given up')
})

test("an answer that the first caller's deadline cut is not an answer for others", async () => {
  const timeoutMs = 300_000
  await using graph = await startGatedGraph({
    TESSERA_REQUEST_TIMEOUT_MS: String(timeoutMs),
    TESSERA_UPSTREAM_TIMEOUT_MS: '600000',
  })
  const now = performance.now.bind(performance)
  let passedMs = 0
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
  await graph.ask(note, { variables: one })
  graph.notes.isOpen = false
  const first = graph.ask(note, { variables: one })
  await until(() => graph.notes.waiting() === 1, 'the fetch')
  passedMs += timeoutMs / 2
  const second = graph.ask(note, { variables: one })
  await graph.untilJoined(1)
  passedMs += timeoutMs / 2
  expect((await first).errors[0]?.extensions.code).toBe('UPSTREAM_TIMEOUT')
  await until(() => graph.notes.arrived.length === 3, 'it begins anew')
  graph.notes.isOpen = true
  expect((await second).data).toEqual({ note: { id: '1', version: 0, price: 'price 1 for nothing' } })
})

test('what is a request’s own stays its own', async () => {
  await using graph = await startGatedGraph()
  await graph.ask(note, { variables: one })
  graph.notes.isOpen = false
  const leader = graph.ask(note, { variables: one })
  await until(() => graph.notes.waiting() === 1, 'the fetch')
  const json = graph.ask(note, { variables: one, headers: { accept: 'application/json' } })
  const quota = graph.ask(note, { variables: one, headers: { 'tessera-quota': '1' } })
  await graph.untilJoined(2)
  // Neither waits for anything.
  const explained = await graph.ask(note, { variables: one, headers: { 'tessera-explain': '1' } })
  const refused = await graph.ask(note, { variables: one, headers: { authorization: 'Bearer no-token' } })
  graph.notes.isOpen = true
  expect(explained.extensions).toMatchObject({ explain: { plan: expect.stringContaining('notes') } })
  expect(refused.status).toBe(401)
  expect((await json).headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect((await leader).headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8')
  expect((await quota).extensions).toMatchObject({ quota: { spent: 0 } })
  expect((await leader).extensions).toBeUndefined()
  expect((await quota).data).toEqual((await leader).data)
})

test('errors are shared as each would have got them', async () => {
  await using graph = await startGatedGraph()
  const broken = '{ broken pricesCaller }'
  const alone = await graph.ask(broken)
  graph.notes.isOpen = false
  const asked = [graph.ask(broken), graph.ask(broken), graph.ask(broken)]
  await graph.untilJoined(2)
  graph.notes.isOpen = true
  for (const { text } of await Promise.all(asked)) expect(text).toBe(alone.text)
  expect(alone.errors).toHaveLength(1)
})

test('it can be switched off, for all or for a subgraph', async () => {
  for (const [env, notes, prices] of [
    [{ TESSERA_SHARE_EQUAL: 'false' }, 4, 4],
    [{ TESSERA_SHARE_EQUAL_EXCEPT: 'notes' }, 4, 1],
    [{ TESSERA_SHARE_EQUAL_EXCEPT: 'prices' }, 1, 4],
  ] as const) {
    await using graph = await startGatedGraph(env)
    graph.notes.isOpen = false
    graph.prices.isOpen = false
    const asked = Array.from({ length: 4 }, () => graph.ask(note, { variables: one }))
    await until(() => graph.notes.waiting() === notes, 'fetches of notes')
    if (notes === 1) await graph.untilJoined(3, 'notes')
    graph.notes.isOpen = true
    await until(() => graph.prices.waiting() === prices, 'fetches of prices')
    if (prices === 1) await graph.untilJoined(3, 'prices')
    graph.prices.isOpen = true
    await Promise.all(asked)
    expect([graph.notes.arrived.length, graph.prices.arrived.length]).toEqual([notes, prices])
    expect(await graph.joined()).toBe(0)
  }
})

/** Any caller, any operation, at any time. */
const shared = keepForFile(await startGatedGraph())
const apart = keepForFile(await startGatedGraph({ TESSERA_SHARE_EQUAL: 'false' }))

const queries = [
  note,
  'query Secret($id: ID!) { note(id: $id) { id secret } }',
  'query Callers($id: ID!) { notesCaller pricesCaller note(id: $id) { price } }',
  'query Broken($id: ID!) { broken note(id: $id) { secret price } }',
] as const

/** What is asked in one run; few, so that equal ones meet. */
const palette = fc.array(
  fc.record({
    subject: fc.constantFrom(undefined, 'alice', 'bob'),
    scope: fc.constantFrom('', 'secret', 'secret other'),
    credential: fc.constantFrom(undefined, 'a', 'b'),
    query: fc.nat(queries.length - 1),
    id: fc.constantFrom('1', '2'),
  }),
  { minLength: 2, maxLength: 4 },
)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ask: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ release: fc.constantFrom('notes' as const, 'prices' as const), place: fc.nat(5) }),
  },
)

test('no caller reads what only another may see, and with it and without it all answers are equal', async () => {
  const expectations = new Map<string, Promise<string>>()
  /** The gateway has begun what was sent before, when it has answered what is sent after it. */
  const untilHeard = () => shared.ask('{ __typename }')
  let joins = 0
  await fc.assert(
    fc.asyncProperty(palette, fc.array(step, { minLength: 6, maxLength: 24 }), async (kinds, steps) => {
      const before = await shared.joined()
      shared.notes.isOpen = false
      shared.prices.isOpen = false
      const asked: { readonly key: string; readonly answer: Promise<string> }[] = []
      for (const one of steps) {
        if ('release' in one) {
          await untilHeard()
          shared[one.release].release(one.place)
          continue
        }
        const kind = kinds[one.ask % kinds.length]
        if (kind === undefined) continue
        const { subject, scope, credential, query, id } = kind
        const token = subject === undefined ? undefined : await shared.token(scope, subject)
        const asking: Asking = { token, credential, variables: { id } }
        const key = JSON.stringify([asking, query])
        const text = queries[query] ?? ''
        if (!expectations.has(key))
          expectations.set(
            key,
            apart.ask(text, asking).then((answer) => `${answer.status} ${answer.text}`),
          )
        asked.push({
          key,
          answer: shared.ask(text, asking).then((answer) => `${answer.status} ${answer.text}`),
        })
      }
      await untilHeard()
      shared.notes.isOpen = true
      shared.prices.isOpen = true
      for (const { key, answer } of asked) expect(await answer, key).toBe(await expectations.get(key))
      joins += (await shared.joined()) - before
    }),
    { numRuns: 40 },
  )
  // Otherwise it would say nothing.
  expect(joins).toBeGreaterThan(50)
})
