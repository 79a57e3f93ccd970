/** The executor compared with that of graphql: random operations on random models with many errors. */
import fc from 'fast-check'
import {
  assertInterfaceType,
  assertObjectType,
  assertUnionType,
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createExecutor, type Execute } from '../../../../engine/subgraphs/in-process/executor/index.ts'
import { campaignSize } from '../../../support/campaign-size.ts'
import { settled } from '../../../support/federation.ts'

const sdl = `
  enum Size { SMALL LARGE }
  scalar Any
  input Box { n: Int = 4, inside: Box }
  interface Node { id: ID! size: Size next: Node }
  union Either = Leaf | Tree
  type Leaf implements Node {
    id: ID! size: Size next: Node text: String strict: String! n: Int f: Float b: Boolean any: Any
    echo(n: Int = 3, ids: [ID!], box: Box, size: Size = LARGE, text: String): String
  }
  type Tree implements Node {
    id: ID! size: Size next: Node leaf: Leaf sure: Leaf! leaves: [Leaf] sureLeaves: [Leaf!]! grid: [[Int!]]
    either: Either eithers: [Either!] nodes: [Node] sizes: [Size!] texts: [String!]! self: Tree
  }
  type Query { tree: Tree trees: [Tree!] node: Node surely: Tree! leaf: Leaf }
  type Mutation { tree: Tree leaf: Leaf surely: Tree! }
`
const plain = buildSchema(sdl)
const objects = ['Query', 'Mutation', 'Tree', 'Leaf'] as const
/** Which of the fields have a resolver; the others read what the model holds under their names. */
const hasResolver = (name: string): boolean => name.length % 2 === 0

/** Numbers from 0 to below 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A value for a type written in SDL, or something else: `wild` is how often, `late` how often a promise of it. */
function valueFor(type: string, next: () => number, depth: number, wild: number, late: number): unknown {
  const some = (): unknown => {
    if (next() < wild) {
      const kinds = [null, undefined, 'text', 7, 2.5, {}, [], true, new Error('a value'), Number.NaN]
      return kinds[Math.floor(next() * kinds.length)]
    }
    const inner = type.endsWith('!') ? type.slice(0, -1) : type
    if (inner.startsWith('[')) {
      return Array.from({ length: Math.floor(next() * 4) }, () =>
        valueFor(inner.slice(1, -1), next, depth - 1, wild, late),
      )
    }
    switch (inner) {
      case 'String':
        return `s${Math.floor(next() * 9)}`
      case 'ID':
        return next() < 0.5 ? `id${Math.floor(next() * 9)}` : Math.floor(next() * 9)
      case 'Int':
        return Math.floor(next() * 9)
      case 'Float':
        return next()
      case 'Boolean':
        return next() < 0.5
      case 'Size':
        return next() < 0.5 ? 'SMALL' : 'LARGE'
      case 'Any':
        return { any: [1, 'x'] }
    }
    if (depth <= 0) return null
    const concrete = inner === 'Leaf' || inner === 'Tree' ? inner : next() < 0.5 ? 'Leaf' : 'Tree'
    return modelOf(concrete, next, depth, wild, late)
  }
  const value = some()
  if (next() >= late) return value
  const turns = Math.floor(next() * 4)
  return async () => {
    for (let turn = 0; turn < turns; turn++) await null
    if (value instanceof Error) throw value
    return value
  }
}

type Model = Record<string, unknown>

/** Promises stand in a model as functions that make them, so that nobody's rejection goes unhandled. */
function modelOf(type: string, next: () => number, depth: number, wild: number, late: number): Model {
  const model: Model = { __typename: type }
  for (const field of Object.values(assertObjectType(plain.getType(type)).getFields()))
    model[field.name] = valueFor(String(field.type), next, depth - 1, wild, late)
  return model
}

const made = (value: unknown): unknown => {
  if (typeof value === 'function') return value()
  return Array.isArray(value) ? value.map(made) : value
}

function schemaWith(typeLate: boolean): GraphQLSchema {
  const schema = buildSchema(sdl)
  const typeOf = (value: { __typename?: string } | null) => {
    const name = value?.__typename
    if (name === undefined) throw new Error('no type is known')
    return typeLate ? Promise.resolve(name) : name
  }
  assertInterfaceType(schema.getType('Node')).resolveType = typeOf as never
  assertUnionType(schema.getType('Either')).resolveType = typeOf as never
  for (const name of objects) {
    for (const field of Object.values(assertObjectType(schema.getType(name)).getFields())) {
      if (field.name === 'echo') field.resolve = (_, args) => JSON.stringify(args)
      else if (hasResolver(field.name)) {
        field.resolve = (source: Model, _, __, info: GraphQLResolveInfo) => {
          const value = made(source[info.fieldName])
          if (value instanceof Error && value.message.length % 2 === 0) throw value
          return value
        }
      } else {
        // Lists of promises cannot be distinguished from lists of methods by the default resolver.
        delete field.resolve
      }
    }
  }
  return schema
}
const schemas = [schemaWith(false), schemaWith(true)]

/** As the default resolver finds it: promises and methods as properties. */
function ready(model: unknown): unknown {
  if (Array.isArray(model)) return model.map(ready)
  if (typeof model !== 'object' || model === null || model instanceof Error) return model
  return Object.fromEntries(
    Object.entries(model).map(([key, value]) => [
      key,
      typeof value === 'function'
        ? async () => ready(await value())
        : hasResolver(key)
          ? Array.isArray(value)
            ? value.map((item) =>
                typeof item === 'function' ? async () => ready(await item()) : ready(item),
              )
            : ready(value)
          : Array.isArray(value)
            ? ready(value.map((item) => (typeof item === 'function' ? null : item)))
            : ready(value),
    ]),
  )
}

/** A selection for a type, with aliases and fragments. */
function selectionFor(type: string, next: () => number, depth: number): string {
  if (type === 'Either' || (type === 'Node' && next() < 0.4)) {
    const parts = ['Leaf', 'Tree'].filter(() => next() < 0.7)
    const all = parts.map((name) => `... on ${name} ${selectionFor(name, next, depth)}`)
    return `{ __typename ${all.join(' ')} ${type === 'Node' ? 'id' : ''} }`
  }
  const owner = plain.getType(type)
  const fields = owner !== undefined && 'getFields' in owner ? Object.values(owner.getFields()) : []
  const chosen: string[] = next() < 0.3 ? ['__typename'] : []
  fields.forEach((field, at) => {
    if (next() < 0.55) return
    const named = String(field.type).replaceAll(/[[\]!]/g, '')
    const isComposite = ['Leaf', 'Tree', 'Node', 'Either'].includes(named)
    if (isComposite && depth <= 0) return
    const alias = next() < 0.2 ? `k${at}: ` : ''
    const given = field.name === 'echo' ? echoArguments(next) : ''
    const below = isComposite ? ` ${selectionFor(named, next, depth - 1)}` : ''
    const text = `${alias}${field.name}${given}${below}`
    chosen.push(next() < 0.15 && type !== 'Node' ? `... on ${type} { ${text} }` : text)
  })
  return `{ ${chosen.length === 0 ? '__typename' : chosen.join(' ')} }`
}

function echoArguments(next: () => number): string {
  const given = [
    ['n: 5', 'n: $n', 'n: null'],
    ['ids: ["a", 1]', 'ids: $ids', 'ids: "one"'],
    ['box: {}', 'box: { n: $n, inside: { n: 1 } }', 'box: $box'],
    ['size: SMALL', 'size: $size'],
    ['text: "q\\"\\u2028"', 'text: $text'],
  ].flatMap((choices) => (next() < 0.4 ? [choices[Math.floor(next() * choices.length)]] : []))
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

const summaryOf = ({ data, errors = [] }: ExecutionResult) => ({
  data: data === undefined ? 'none' : (JSON.parse(JSON.stringify(data)) as unknown),
  errors: errors
    .map((error) =>
      JSON.stringify([error.path, error.message, error.locations, error instanceof GraphQLError]),
    )
    .sort(),
})

/**
 * What does not depend on the order of errors: if several make the same position null, those that came before it
 * was null are kept.
 */
const lateSummaryOf = (result: ExecutionResult) => {
  const { data, errors } = summaryOf(result)
  const nulls = (result.errors ?? []).map(({ path = [] }) => {
    let at = data
    const to = path.findIndex((key) => {
      at = (at as Readonly<Record<string | number, unknown>> | null)?.[key]
      return at === null
    })
    return path.slice(0, to + 1).join('.')
  })
  return { data, nulls: [...new Set(nulls)].sort(), some: errors.length > 0 }
}

function executorOf(schema: GraphQLSchema, document: DocumentNode): Execute {
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('it has no operation')
  return createExecutor(schema, document, operation)
}

const head = '($n: Int, $ids: [ID!], $box: Box, $size: Size = SMALL, $text: String) '

/**
 * graphql itself leaves rejections unhandled if one item of a list fails that must be there, and another fails
 * later. They are taken away from the test's runner; the executor must leave none.
 */
const unhandled: unknown[] = []
const take = (reason: unknown): unknown => unhandled.push(reason)
const runners = process.listeners('unhandledRejection')
beforeAll(() => {
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', take)
})
afterAll(() => {
  process.off('unhandledRejection', take)
  for (const runner of runners) process.on('unhandledRejection', runner)
})

describe('an operation', () => {
  test.each([
    ['of sound models', 0, 0, 200],
    ['of models in which something is wrong', 0.08, 0, 300],
    ['of models that come late', 0, 0.15, 200],
    ['of models that come late and wrong', 0.06, 0.15, 400],
  ])('answers what graphql answers, %s', async (_, wild, late, all) => {
    const numRuns = campaignSize(all)
    let executed = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.constantFrom(...schemas),
        fc.constantFrom('query', 'mutation'),
        async (seed, schema, kind) => {
          const next = random(seed)
          const root = kind === 'query' ? 'Query' : 'Mutation'
          const text = `${kind} ${head}${selectionFor(root, next, 3)}`
          const document = parse(text)
          // Two selections of one key with different arguments are no operation.
          fc.pre(validate(schema, document).every(({ message }) => /never used/.test(message)))
          const variables = {
            ...(next() < 0.5 ? { n: next() < 0.8 ? 8 : null } : {}),
            ...(next() < 0.5 ? { ids: ['x'] } : {}),
            ...(next() < 0.5 ? { box: next() < 0.8 ? { inside: {} } : { wrong: 1 } } : {}),
            ...(next() < 0.5 ? { text: next() < 0.8 ? 'text' : 5 } : {}),
          }
          const seedOfModel = Math.floor(next() * 2 ** 31)
          const rootValue = () => ready(modelOf(root, random(seedOfModel), 5, wild, late)) as Model
          const rooted = withRoot(schema, root, rootValue)
          const expected = await execute({ schema: rooted, document, variableValues: variables })
          executed += 1
          await settled()
          const summarize = late === 0 ? summaryOf : lateSummaryOf
          const run = executorOf(rooted, document)
          for (let turn = 0; turn < 2; turn++) {
            unhandled.length = 0
            expect(summarize(await run({}, variables)), text).toEqual(summarize(expected))
            await settled()
            expect(unhandled).toEqual([])
          }
        },
      ),
      { numRuns },
    )
    expect(executed).toBeGreaterThan(numRuns * 0.9)
  })
})

/** The schema, whose root fields have a fresh model each time that the first of them is asked. */
function withRoot(schema: GraphQLSchema, root: string, model: () => Model): GraphQLSchema {
  const fields = assertObjectType(schema.getType(root)).getFields()
  for (const field of Object.values(fields)) {
    field.resolve = () => {
      const value = made(model()[field.name])
      if (value instanceof Error && field.name.length % 2 === 0) throw value
      return value
    }
  }
  return schema
}

test('makes only so many errors, and says that there were more', async () => {
  const schema = buildSchema(
    'type Query { soft: [Int] items: [Item] strict: [Strict!] } type Item { n: Int! } type Strict { n: Int! }',
  )
  const fail = (): never => {
    throw new Error('no number')
  }
  const rows = {
    get n() {
      return fail()
    },
  }
  const models = Array.from({ length: 20_000 }, () => rows)
  const fields = assertObjectType(schema.getType('Query')).getFields()
  for (const name of ['items', 'strict']) (fields[name] as { resolve: unknown }).resolve = () => models
  ;(fields.soft as { resolve: unknown }).resolve = () => models.map(() => new Error('no number'))
  for (const text of [
    '{ items { n } soft }',
    '{ items { n } soft @skip(if: false) }',
    '{ strict { n } soft }',
  ]) {
    const { errors = [], moreErrors } = await executorOf(schema, parse(text))({}, {})
    expect(errors.length).toBeGreaterThan(90)
    expect(errors.length).toBeLessThan(500)
    expect(moreErrors).toBe(true)
  }
})

describe('arguments are what graphql makes of them', () => {
  const schema = buildSchema(`
    enum Size { SMALL LARGE }
    input Box { n: Int = 4 }
    type Query {
      given(text: String, id: ID, n: Int, f: Float, b: Boolean, size: Size, box: Box, list: [Int!]): String
      usual(text: String = "q\\"", id: ID = "i", n: Int = -3, f: Float = 1.5, b: Boolean = false,
        size: Size = LARGE, none: Int = null): String
      usualBox(n: Int = 1, box: Box = {}): String
      sure(n: Int! = 3, text: String!): String
      constructor(prototype: Int, constructor: Int): String
    }`)
  for (const field of Object.values(assertObjectType(schema.getType('Query')).getFields()))
    field.resolve = (_, args) =>
      JSON.stringify(Object.entries(args).map(([name, value]) => [name, typeof value, value]))

  test.each<[string, string, Record<string, unknown>?]>([
    ['none', '{ given usual usualBox }'],
    ['text', '{ given(text: "q\\"\\\\\\u2028", id: "1") sure(text: "") }'],
    ['whole numbers', '{ given(id: 5, n: -7, f: 2) a: given(n: 2147483647) b: given(n: 0) }'],
    ['other numbers', '{ given(f: 2.5) a: given(f: 1e3) }'],
    ['truth', '{ given(b: true) a: given(b: false) usual(b: true) }'],
    ['names', '{ given(size: SMALL) usual(size: SMALL) }'],
    ['null', '{ given(text: null, n: null, size: null) usual(text: null, b: null) }'],
    ['lists and objects', '{ given(list: [1, 2], box: {}) a: given(list: 1, box: { n: 2 }) usualBox(n: 2) }'],
    ['variables', 'query($n: Int, $t: String) { given(n: $n, text: $t) }', { n: 2, t: 'x' }],
    ['variables that are not given', 'query($n: Int) { given(n: $n) usual(n: $n) }', {}],
    ['variables that are null', 'query($n: Int) { given(n: $n) usual(n: $n) }', { n: null }],
    ['some of the variables', 'query($n: Int, $b: Boolean) { usual(n: $n, b: $b) }', { b: true }],
    ['a variable with a value of its own', 'query($n: Int = 8) { sure(n: $n, text: "x") }', {}],
    ['what must be there', 'query($t: String!, $n: Int! = 2) { sure(n: $n, text: $t) }', { t: 'x' }],
    ['null where it must not be', 'query($n: Int = 1) { sure(n: $n, text: "x") }', { n: null }],
    ['what has a value where it must be there', 'query($n: Int) { sure(n: $n, text: "x") }', {}],
    ['names that all objects inherit', 'query($toString: Int) { constructor(constructor: $toString) }', {}],
    ['the same, given', 'query($toString: Int) { constructor(prototype: $toString) }', { toString: 4 }],
  ])('%s', async (_, text, variables = {}) => {
    const document = parse(text)
    const expected = await execute({ schema, document, variableValues: variables })
    expect(summaryOf(await executorOf(schema, document)({}, variables))).toEqual(summaryOf(expected))
  })
})
