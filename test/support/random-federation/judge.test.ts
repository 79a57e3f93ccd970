/** The judge, the faults and the shrinker: what is wrong is found, what is right is not, and what is found gets small. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { startApollo } from './apollo.ts'
import {
  type Finding,
  judgeData,
  judgeErrors,
  lacksOnly,
  openGraph,
  planFaults,
  printCase,
  type RandomGraph,
  type RightAnswer,
  randomGraph,
  randomOperationOf,
  rightAnswer,
  shrink,
  startTrial,
} from './index.ts'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])\n'
const services = {
  shop: `${link} type Query { products: [Product!] } type Product @key(fields: "id") { id: ID! name: String }`,
  stock: `${link} type Product @key(fields: "id") { id: ID! stock: Int size: Int }`,
}
const graph = openGraph(services, 2)!
const query = '{ products { id name stock } }'

describe('the judge', () => {
  const judge = async (
    // biome-ignore lint/suspicious/noExplicitAny: the data of one query
    change: (data: any) => unknown,
    errors: { message: string; path?: string[] }[] = [],
  ) => {
    const expected = await rightAnswer(graph, parse(query), {})
    const got = { data: change(structuredClone(expected.data)), errors }
    return (judgeData(got, expected, {}) ?? (await judgeErrors(graph, parse(query), {}, got, expected, {})))
      ?.fault
  }

  test('takes the right answer, and no other value, order of keys, null or error', async () => {
    expect(await judge((data) => data)).toBeUndefined()
    expect(await judge((data) => ({ products: data.products.slice(1) }))).toBe('other data')
    expect(
      await judge((data) => ({
        products: data.products.map(({ id, ...rest }: { id: string }) => ({ ...rest, id })),
      })),
    ).toBe('other data')
    expect(await judge(() => ({ products: null }))).toBe('other data')
    expect(await judge((data) => data, [{ message: 'x', path: ['products'] }])).toBe('other errors')
  })

  test('wants the errors if fields fail', async () => {
    const faults = { throws: (_: string, field: string) => field === 'stock' }
    const expected = await rightAnswer(graph, parse(query), {}, faults)
    const errorsOf = (errors: { message: string; path: (string | number)[] }[]) =>
      judgeErrors(graph, parse(query), {}, { data: expected.data, errors }, expected, faults)
    const all = expected.errors.map(({ message, path = [] }) => ({ message, path: [...path] }))
    expect(all.length).toBeGreaterThan(1)
    expect(await errorsOf(all)).toBeUndefined()
    expect((await errorsOf([]))?.fault).toBe('other errors')
    expect((await errorsOf(all.slice(1)))?.message).toMatch(/^no error at products.0.stock/)
    expect((await errorsOf([...all, { message: 'x', path: ['products', 0, 'name'] }]))?.message).toBe(
      'an error at products.0.name',
    )
  })

  test('wants an error for a null that makes its parent null, and none for fields that a subgraph does not know', async () => {
    const sdls = {
      ...services,
      stock: `${link} type Product @key(fields: "id") { id: ID! stock: Int size: Int! }`,
    }
    const document = parse('{ products { name stock size } }')
    const faults = { missing: (subgraph: string) => subgraph === 'stock' }
    let seed = 0
    let must: RandomGraph
    let expected: RightAnswer
    // The first world whose first product has a stock.
    do {
      must = openGraph(sdls, ++seed)!
      expected = await rightAnswer(must, document, {}, faults)
    } while ((expected.data as { products: { stock?: number }[] }).products[0]?.stock == null)
    const whole = expected.data as { products: object[] }
    const judged = (data: unknown, errors: { message: string; path: (string | number)[] }[] = []) =>
      judgeErrors(must, document, {}, { data, errors }, expected, faults)
    const first = (change: object | null) => ({
      products: whole.products.map((each, i) => (i > 0 || change === null ? each : { ...each, ...change })),
    })
    expect(await judged(whole)).toBeUndefined()
    expect(await judged(first({ stock: null }))).toBeUndefined()
    expect((await judged({ products: null }))?.message).toBe('no error says why products is null')
    const said = [{ message: 'x', path: ['products', 0, 'size'] }]
    expect((await judged(null, said))?.message).toBeUndefined()
    expect((await judged(first({ size: null }), said))?.message).toBe(
      'products.0.size is null, where it must not be',
    )
    expect((await judged(whole, said))?.message).toBe('an error at products.0.size, where nothing is missing')
    const known = { missing: () => false }
    expect(
      (await judgeErrors(must, document, {}, { data: first({ stock: null }), errors: [] }, expected, known))
        ?.message,
    ).toBe('no error says why products.0.stock is null')
  })

  test('lets null stand for what may be missing, and nothing else', () => {
    expect(lacksOnly({ a: null, b: [{ c: 1 }, null] }, { a: 1, b: [{ c: 1 }, { c: 2 }] })).toBe(true)
    expect(lacksOnly({ a: 2 }, { a: 1 })).toBe(false)
    expect(lacksOnly({ a: 1 }, { a: null })).toBe(false)
    expect(lacksOnly({ b: 1 }, { a: 1, b: 1 })).toBe(false)
    expect(lacksOnly({ a: 1, b: null }, { a: 1, b: 1 })).toBe(true)
    expect(lacksOnly({ c: 1 }, { a: 1 })).toBe(false)
    expect(lacksOnly({ b: 1, a: 1 }, { a: 1, b: 1 })).toBe(false)
    expect(lacksOnly([1], [1, 2])).toBe(false)
  })
})

test('faults are drawn from a seed, and spare what other fields are computed from', () => {
  for (const seed of [1, 2, 4]) {
    const drawn = randomGraph(seed)
    for (let i = 0; i < 20; i++) {
      const { throws } = planFaults(drawn, 'throws', i)
      for (const key of ['id', 'sku', 'region', 'ref', 'code']) expect(throws!('E0', key, '1')).toBe(false)
      expect([...planFaults(drawn, 'away', i).away!]).toEqual([...planFaults(drawn, 'away', i).away!])
    }
  }
})

describe('the shrinker', () => {
  test('leaves the fields and subgraphs that a failure needs, and says how to have it again', async () => {
    const found = randomGraph(2)
    const root = Object.keys(found.supergraph.apiSchema.getQueryType()!.getFields())[0]!
    let operation = randomOperationOf(found, 1)!
    for (let i = 2; !operation.query.includes(root) || operation.query.length < 200; i++)
      operation = randomOperationOf(found, i) ?? operation
    const finding: Finding = { fault: 'other data', message: 'planted', got: 1, expected: 2 }
    const judge = async (_: unknown, { query }: { query: string }) =>
      new RegExp(`\\b${root}\\b`).test(query) ? finding : undefined
    const small = await shrink({ services: found.services, worldSeed: 2, operation }, judge, 1500)
    expect(small.operation.query.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`^\\{ ${root}(\\(n: .\\))?( \\{ \\w+ \\})? \\}$`),
    )
    expect(Object.keys(small.services).length).toBeLessThanOrEqual(2)
    expect(Object.values(small.services).join('').length).toBeLessThan(
      Object.values(found.services).join('').length / 3,
    )
    const text = printCase(small, finding)
    for (const part of [root, 'worldSeed = 2', 'other data: planted']) expect(text).toContain(part)
  })

  test('refuses a case that does not fail', async () => {
    const operation = { query, variables: {} }
    await expect(shrink({ services, worldSeed: 1, operation }, async () => undefined)).rejects.toThrow(
      'There is nothing to shrink',
    )
  })
})

test('a trial says which subgraph was asked wrongly, and what differs', async () => {
  await using trial = await startTrial(graph)
  expect(await trial.run({ query, variables: {} })).toBeUndefined()
  // The same subgraphs over another world: every value differs.
  const other = { ...graph, world: openGraph(services, 3)!.world }
  await using wrong = await startTrial(other)
  expect((await wrong.run({ query, variables: {} }))?.fault).toBe('other data')
})

/** Its own faults on such graphs are known: nested lists in `@requires`, arguments that clash, interface objects. */
test("@apollo/gateway and the oracle agree, but for a few of the gateway's faults", async () => {
  const counts = { equal: 0, other: 0 }
  for (let seed = 200; seed < 224; seed++) {
    const drawn = randomGraph(seed)
    // It takes neither contexts nor labels that are percentages.
    if (/@fromContext|percent\(100\)/.test(Object.values(drawn.services).join())) continue
    const apollo = await startApollo(drawn)
    for (let i = 0; i < 12; i++) {
      const operation = randomOperationOf(drawn, seed * 100 + i)
      if (operation === undefined) continue
      const document = parse(operation.query)
      const expected = await rightAnswer(drawn, document, operation.variables)
      const got = await apollo.execute(document, operation.variables).catch(() => undefined)
      const equal = got !== undefined && judgeData(got, expected, {}) === undefined && got.errors.length === 0
      counts[equal ? 'equal' : 'other'] += 1
    }
    await apollo.close()
  }
  expect(counts.equal).toBeGreaterThan(100)
  expect(counts.other / counts.equal).toBeLessThan(0.05)
})
