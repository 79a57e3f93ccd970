/** Executions in which subgraphs answer what they answered before, against the plain way. */
import '../../../../support/seed.ts'
import fc from 'fast-check'
import { parse } from 'graphql'
import { afterEach, expect, test } from 'vitest'
import { readPlain, runPlainly } from '../../../../../contract/hot/switch.ts'
import type { JsonResult } from '../../../../../gateway/engine/index.ts'
import { responseBody } from '../../../../../gateway/engine/index.ts'
import { campaignSize } from '../../../../support/campaign-size.ts'
import { type Federation, startFederation, testGatewayRequest } from '../../../../support/federation.ts'
import { textOf } from '../../../../support/sent-json.ts'

afterEach(() => runPlainly(readPlain(process.env.TESSERA_PLAIN)))

interface Item {
  id: string
  name: string | null
  box: { wide: number; high: number } | null
  count: number
  maker: string | null
}

/** Data that change between requests, and what happens when a field of them is read. */
function world() {
  const first = (): Item[] =>
    ['1', '2', '3'].map((id) => ({
      id,
      name: `item ${id}`,
      box: { wide: Number(id), high: 2 },
      count: 1,
      maker: 'm',
    }))
  return {
    items: first(),
    labels: new Map([
      ['m', 'Maker'],
      ['n', 'Other'],
    ]),
    failing: '',
    filling: '',
    onItems: (): void => {},
    writes: 0,
    reset() {
      this.items = first()
      this.labels.set('m', 'Maker')
      this.failing = ''
      this.filling = ''
      this.onItems = () => {}
    },
  }
}

async function startShop() {
  const data = world()
  const fail = (name: string): void => {
    if (data.failing === name) throw new Error(`${name} fails`)
  }
  const itemOf = (id: string) => data.items.find((item) => item.id === id)
  const federation = await startFederation(
    {
      shop: {
        sdl: `type Query { items(first: Int!): [Item!] }
          type Mutation { sell(id: ID!): Item }
          type Item @key(fields: "id") { id: ID! name: String box: Box }
          type Box { wide: Int high: Int }`,
        resolvers: {
          Query: {
            items(_: unknown, { first }: { first: number }) {
              data.onItems()
              fail('items')
              return data.items.slice(0, first).map((item) => ({ ...item, filling: undefined }))
            },
          },
          Mutation: {
            sell(_: unknown, { id }: { id: string }) {
              data.writes += 1
              return itemOf(id)
            },
          },
          Item: {
            name({ name }: Item) {
              fail('name')
              return name === null ? null : name + data.filling
            },
          },
        },
      },
      stock: {
        sdl: `type Item @key(fields: "id") { id: ID! box: Box @external
            size: Int @requires(fields: "box { wide high }") count: Int maker: Maker }
          type Box { wide: Int @external high: Int @external }
          type Maker @key(fields: "code") { code: ID! }`,
        resolvers: {
          Item: {
            __resolveReference: (given: { id: string }) => ({ ...itemOf(given.id), ...given }),
            size({ box }: Item) {
              fail('size')
              return box === null ? null : box.wide * box.high
            },
            maker: ({ maker }: Item) => (maker === null ? null : { code: maker }),
          },
        },
      },
      makers: {
        sdl: 'type Maker @key(fields: "code") { code: ID! label: String! }',
        resolvers: {
          Maker: {
            __resolveReference: ({ code }: { code: string }) => ({ code }),
            label({ code }: { code: string }) {
              fail('label')
              return data.labels.get(code) ?? null
            },
          },
        },
      },
    },
    { way: 'over HTTP' },
  )
  return { data, federation }
}

const query = `query Items($first: Int!, $more: Boolean = true) {
  items(first: $first) { id @include(if: $more) name size count maker { label } }
}`

type Variables = Readonly<Record<string, unknown>>

/** The operation in both ways, and what each of them has sent. */
function bothWays({ engine, fetched }: Federation, text = query) {
  const compiled = engine.compile({ document: parse(text) })
  const known = new Set<unknown>()
  const sentBy = async (run: () => Promise<JsonResult>) => {
    fetched.length = 0
    const result = await run()
    return { result, sent: fetched.map((fetch) => JSON.stringify(fetch)).sort() }
  }
  const tally = { repeated: 0 }
  const repeating = async (variables: Variables, request = testGatewayRequest()): Promise<JsonResult> => {
    const result = await compiled.executeToJson(variables, request)
    // What is remembered is handed out as it is.
    if (known.has(result.data)) tally.repeated += 1
    if (typeof result.data === 'object' && result.data !== null) known.add(result.data)
    return result
  }
  const plainly = async (variables: Variables): Promise<JsonResult> => {
    runPlainly(['repeated'])
    try {
      return await compiled.executeToJson(variables, testGatewayRequest())
    } finally {
      runPlainly([])
    }
  }
  return { tally, repeating, plainly, sentBy }
}

const textOfResult = (result: JsonResult): unknown => JSON.parse(textOf(responseBody(result)))

test('equal responses make an equal result, and every fetch is sent', async () => {
  const { data, federation } = await startShop()
  await using _ = federation
  const { tally, repeating, plainly, sentBy } = bothWays(federation)
  for (let turn = 0; turn < 4; turn++) {
    const plain = await sentBy(() => plainly({ first: 2 }))
    const repeated = await sentBy(() => repeating({ first: 2 }))
    expect(repeated.sent).toEqual(plain.sent)
    expect(repeated.sent).toHaveLength(3)
    expect(textOfResult(repeated.result)).toEqual(textOfResult(plain.result))
  }
  expect(tally.repeated).toBeGreaterThan(1)
  // Other variables that lead to the same.
  data.items.length = 2
  const before = tally.repeated
  const other = await sentBy(() => repeating({ first: 9 }))
  expect(tally.repeated).toBe(before + 1)
  expect(other.sent.join()).toContain('"first":9')
})

const change = fc.oneof(
  fc.record({ kind: fc.constant('nothing' as const) }),
  fc.record({
    kind: fc.constantFrom('name', 'box', 'count', 'maker', 'label', 'missing'),
    at: fc.nat(2),
    to: fc.constantFrom(0, 1, null),
  }),
  fc.record({
    kind: fc.constant('failing' as const),
    what: fc.constantFrom('items', 'name', 'size', 'label'),
  }),
)
const step = fc.record({
  change,
  repeats: fc.integer({ min: 1, max: 3 }),
  variables: fc.constantFrom<Variables>(
    { first: 3 },
    { first: 4 },
    { first: 1 },
    { first: 3, more: false },
    { first: 0 },
  ),
})

test('whatever changes between requests, the plain way says the same and sends the same', async () => {
  const { data, federation } = await startShop()
  await using _ = federation
  const made = { repeated: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      data.reset()
      const { tally, repeating, plainly, sentBy } = bothWays(federation)
      for (const { change, repeats, variables } of steps) {
        data.failing = change.kind === 'failing' ? change.what : ''
        if ('at' in change) {
          const item = data.items[change.at]
          if (change.kind === 'label') data.labels.set('m', `Maker ${change.to}`)
          else if (change.kind === 'missing') data.items.splice(change.at, 1)
          else if (item !== undefined) {
            if (change.kind === 'name') item.name = change.to === null ? null : `name ${change.to}`
            if (change.kind === 'box') item.box = change.to === null ? null : { wide: change.to, high: 7 }
            if (change.kind === 'count') item.count = change.to ?? 9
            if (change.kind === 'maker') item.maker = change.to === null ? null : change.to === 0 ? 'm' : 'n'
          }
        }
        for (let turn = 0; turn < repeats; turn++) {
          const repeated = await sentBy(() => repeating(variables))
          const plain = await sentBy(() => plainly(variables))
          expect(textOfResult(repeated.result)).toEqual(textOfResult(plain.result))
          expect(repeated.sent).toEqual(plain.sent)
        }
      }
      made.repeated += tally.repeated
    }),
    { numRuns: campaignSize(300) },
  )
  expect(made.repeated).toBeGreaterThan(20)
})

test('executions at the same time do not take what is not theirs', async () => {
  const { federation } = await startShop()
  await using _ = federation
  const { tally, repeating, plainly } = bothWays(federation)
  const all: Variables[] = [{ first: 1 }, { first: 2 }, { first: 3 }, { first: 3, more: false }]
  const expected = new Map<Variables, unknown>()
  for (const variables of all) expected.set(variables, textOfResult(await plainly(variables)))
  for (let turn = 0; turn < 6; turn++) {
    const asked = Array.from({ length: 8 }, (_, at) => all[(at * (turn + 1)) % all.length] as Variables)
    const results = await Promise.all(asked.map((variables) => repeating(variables)))
    for (const [at, result] of results.entries())
      expect(textOfResult(result)).toEqual(expected.get(asked[at] as Variables))
  }
  expect(tally.repeated).toBeGreaterThan(0)
})

test('a request that is cancelled between two fetches gets the error of the plain way', async () => {
  const { data, federation } = await startShop()
  await using _ = federation
  const { repeating, plainly } = bothWays(federation)
  for (let turn = 0; turn < 3; turn++) await repeating({ first: 2 })
  const whole = textOfResult(await plainly({ first: 2 }))
  const request = testGatewayRequest()
  data.onItems = () => request.cancel()
  const result = await repeating({ first: 2 }, request)
  expect(result.errors?.[0]?.extensions.code).toBe('UPSTREAM_TIMEOUT')
  data.onItems = () => {}
  expect(textOfResult(await repeating({ first: 2 }))).toEqual(whole)
})

test('what is too long is not remembered', async () => {
  const { data, federation } = await startShop()
  await using _ = federation
  const { tally, repeating } = bothWays(federation)
  data.filling = 'x'.repeat(100_000)
  for (let turn = 0; turn < 4; turn++) await repeating({ first: 3 })
  expect(tally.repeated).toBe(0)
  data.filling = ''
  for (let turn = 0; turn < 3; turn++) await repeating({ first: 3 })
  expect(tally.repeated).toBe(1)
})

test('a mutation is not sent before its plan sends it', async () => {
  const { data, federation } = await startShop()
  await using _ = federation
  const { tally, repeating } = bothWays(federation, 'mutation { sell(id: "1") { id count } }')
  for (let turn = 0; turn < 4; turn++) await repeating({})
  expect(data.writes).toBe(4)
  expect(tally.repeated).toBe(0)
})

test('where every execution differs, few are compared', async () => {
  const { data, federation } = await startShop()
  await using _ = federation
  const { tally, repeating } = bothWays(federation)
  const item = data.items[0] as Item
  for (let turn = 0; turn < 20; turn++) {
    item.name = `changed ${turn}`
    await repeating({ first: 1 })
  }
  for (let turn = 0; turn < 20; turn++) await repeating({ first: 1 })
  expect(tally.repeated).toBe(0)
  for (let turn = 0; turn < 100; turn++) await repeating({ first: 1 })
  expect(tally.repeated).toBeGreaterThan(0)
})
