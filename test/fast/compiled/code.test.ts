/**
 * What the code of an operation sees to itself, and what it leaves to the general code. Which of them it was shows in
 * what of the schema is read while the operation is executed: the general code looks up there what the compiled code
 * has known since it was written.
 */
import {
  assertObjectType,
  assertScalarType,
  buildSchema,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { estimatedBytes } from '../../../engine/cache-memory.ts'
import { compileOperation } from '../../../fast/compiled/index.ts'

const compile = (schema: GraphQLSchema, text: string) => {
  const run = compileOperation(schema, parse(text), undefined)
  if (run === undefined) throw new Error('it was not compiled')
  return run
}

const fieldsOf = (schema: GraphQLSchema, type = 'Query') => assertObjectType(schema.getType(type)).getFields()

/** Counts how often a property is read from now on. */
function readsOf<Owner extends object>(owner: Owner | undefined, name: keyof Owner): () => number {
  if (owner === undefined) throw new Error(`expected something with ${String(name)}`)
  const value = owner[name]
  let reads = 0
  Object.defineProperty(owner, name, {
    get() {
      reads += 1
      return value
    },
  })
  return () => reads
}

const plainly = ({ data, errors = [] }: ExecutionResult) => ({
  data: JSON.stringify(data),
  errors: errors.map((error) => [error.message, error.path, error instanceof GraphQLError]),
})

describe('a value', () => {
  const schemaFor = (type: string) => {
    const schema = buildSchema(`
      scalar Free
      scalar Own
      enum Size { SMALL LARGE }
      type Query { value: ${type} }
    `)
    assertScalarType(schema.getType('Own')).serialize = (value) => `own ${String(value)}`
    return schema
  }

  /** How often the general code was used for the value under the field's name, and for the same from a resolver. */
  async function usesFor(type: string, value: unknown) {
    const uses: number[] = []
    for (const isResolved of [false, true]) {
      const schema = schemaFor(type)
      const field = fieldsOf(schema).value
      if (isResolved && field !== undefined) field.resolve = () => value
      const rootValue = { value }
      const expected = await execute({ schema, document: parse('{ value }'), rootValue })
      const run = compile(schema, '{ value }')
      const reads = readsOf(field, 'type')
      expect(plainly(await run({}, {}, undefined, rootValue))).toEqual(plainly(expected))
      // What a resolver gets to know of its field includes the type.
      uses.push(isResolved ? reads() - 1 : reads())
    }
    return { property: uses[0] as number, resolved: uses[1] as number }
  }

  test.each<[type: string, value: unknown]>([
    ...['text', ''].flatMap((value): [string, unknown][] => [
      ['String', value],
      ['ID', value],
      ['Free', value],
    ]),
    ...[0, -1, 2 ** 31 - 1, -(2 ** 31)].map((value): [string, unknown] => ['Int', value]),
    ...[0, 0.5, -1e300].map((value): [string, unknown] => ['Float', value]),
    ...[true, false].map((value): [string, unknown] => ['Boolean', value]),
  ])('of type %s that is %j is the result as it is', async (type, value) => {
    expect(await usesFor(type, value)).toEqual({ property: 0, resolved: 0 })
    expect(await usesFor(`${type}!`, value)).toEqual({ property: 0, resolved: 0 })
  })

  test.each<[type: string, value: unknown]>([
    ['String', 7],
    ['String', true],
    ['String', { toString: () => 'text' }],
    ['ID', 7],
    ['ID', 1.5],
    ['Int', 2 ** 31],
    ['Int', 1.5],
    ['Int', '7'],
    ['Int', true],
    ['Int', Number.NaN],
    ['Float', '1.5'],
    ['Float', Number.POSITIVE_INFINITY],
    ['Float', true],
    ['Boolean', 1],
    ['Boolean', 'true'],
    ['Free', { a: 1 }],
    ['Own', 'text'],
    ['Size', 'SMALL'],
    ['Size', 'HUGE'],
    ['[String]', 'text'],
    ['[String]', ['text']],
    ['String', new Error('no text')],
    ['Int', Promise.resolve(5)],
  ])('of type %s that is %j is left to the general code', async (type, value) => {
    for (const each of [type, `${type}!`]) {
      const { property, resolved } = await usesFor(each, value)
      expect(property).toBeGreaterThan(0)
      expect(resolved).toBeGreaterThan(0)
    }
  })

  test.each([null, undefined])(
    'that is %j is null at once if it may be, and otherwise an error',
    async (value) => {
      for (const type of ['String', 'Size', '[String]'])
        expect(await usesFor(type, value)).toEqual({ property: 0, resolved: 0 })
      const { property, resolved } = await usesFor('String!', value)
      expect(property).toBeGreaterThan(0)
      expect(resolved).toBeGreaterThan(0)
    },
  )
})

describe('an object', () => {
  const sdl = `
    interface Node { name: String }
    type Model implements Node { name: String }
    type Query { only: Model list: [Model] node: Node }
  `

  /** How often the general code was used to complete the object. */
  async function usesFor(field: string, value: unknown, isResolved: boolean): Promise<number> {
    const schema = buildSchema(sdl)
    const definition = fieldsOf(schema)[field]
    if (isResolved && definition !== undefined) definition.resolve = () => value
    const rootValue = { [field]: value }
    const text = `{ ${field} { name } }`
    const expected = await execute({ schema, document: parse(text), rootValue })
    const run = compile(schema, text)
    const reads = readsOf(assertObjectType(schema.getType('Model')), 'isTypeOf')
    expect(plainly(await run({}, {}, undefined, rootValue))).toEqual(plainly(expected))
    return reads()
  }

  const model = { __typename: 'Model', name: 'a' }

  test.each([false, true])(
    'of a type that is certain is completed in place (resolver: %s)',
    async (isResolved) => {
      expect(await usesFor('only', model, isResolved)).toBe(0)
    },
  )

  test.each<[string, string, unknown]>([
    ['in a list', 'list', [model]],
    ['of an interface', 'node', model],
    ['that comes late', 'only', Promise.resolve(model)],
    [
      'that comes late from elsewhere',
      'only',
      // biome-ignore lint/suspicious/noThenProperty: a promise that is none of this realm's
      { then: (resolve: (value: unknown) => void) => resolve(model) },
    ],
    ['that is a function', 'only', () => model],
  ])('%s is left to the general code', async (_, field, value) => {
    expect(await usesFor(field, value, false)).toBeGreaterThan(0)
    if (typeof value !== 'function') expect(await usesFor(field, value, true)).toBeGreaterThan(0)
  })

  test('whose type says which values are its own is checked', async () => {
    const schema = buildSchema(sdl)
    assertObjectType(schema.getType('Model')).isTypeOf = (value) =>
      (value as { name: string }).name !== 'foreign'
    const document = parse('{ only { name } }')
    for (const name of ['a', 'foreign']) {
      const rootValue = { only: { name } }
      const result = await compile(schema, '{ only { name } }')({}, {}, undefined, rootValue)
      expect(plainly(result)).toEqual(plainly(await execute({ schema, document, rootValue })))
      expect(result.errors === undefined).toBe(name === 'a')
    }
  })

  test.each([7, 'text', true, new Error('no object')])('that is %s has no fields', async (only) => {
    const schema = buildSchema(sdl)
    const document = parse('{ only { name } }')
    const rootValue = { only }
    const result = await compile(schema, '{ only { name } }')({}, {}, undefined, rootValue)
    expect(plainly(result)).toEqual(plainly(await execute({ schema, document, rootValue })))
  })
})

describe('arguments', () => {
  const sdl = `
    enum Size { SMALL LARGE }
    input Box { n: Int = 4 }
    type Query {
      text(a: String): String
      id(a: ID): String
      int(a: Int): String
      float(a: Float): String
      boolean(a: Boolean): String
      size(a: Size): String
      list(a: [Int]): String
      box(a: Box): String
      sure(a: Int!): String
      sureText(a: String!): String
      sureDefault(a: Int! = 3): String
      usual(a: String = "q\\"", b: Int = -3, c: Float = 1.5, d: Boolean = false, e: Size = LARGE, f: Int = null): String
      usualList(a: [Int] = [1]): String
      usualBox(a: Box = {}): String
    }
  `

  async function usesFor(selection: string, variables: Record<string, unknown> = {}): Promise<number> {
    const schema = buildSchema(sdl)
    const fields = fieldsOf(schema)
    for (const field of Object.values(fields))
      field.resolve = (_, args) =>
        JSON.stringify(Object.entries(args).map(([key, value]) => [key, typeof value, value]))
    const document = parse(`query ($s: String, $n: Int, $sure: Int = 1, $toString: Int) { ${selection} }`)
    const expected = await execute({ schema, document, variableValues: variables })
    const run = compileOperation(schema, document, undefined)
    if (run === undefined) throw new Error('it was not compiled')
    const reads = readsOf(fields[selection.split('(')[0] as string], 'args')
    expect(plainly(await run({}, variables))).toEqual(plainly(expected))
    return reads()
  }

  test.each<[selection: string, variables?: Record<string, unknown>]>([
    ['text(a: "q\\"\\u2028")'],
    ['text(a: """block""")'],
    ['id(a: "5")'],
    ['int(a: 0)'],
    ['int(a: -2147483648)'],
    ['int(a: 2147483647)'],
    ['boolean(a: true)'],
    ['boolean(a: false)'],
    ['sure(a: 4)'],
    ['sureText(a: "")'],
    ['text'],
    ['sureDefault'],
    ['usual'],
    ['usual(b: 5, d: true)'],
    ['text(a: $s)', { s: 'x' }],
    ['text(a: $s)', { s: null }],
    ['int(a: $n)', { n: 0 }],
    ['sure(a: $sure)', { sure: 2 }],
    ['sure(a: $sure)', {}],
    ['usual(a: $s, b: $n)', { s: 'x', n: 1 }],
  ])('%s with %j are written in place', async (selection, variables) => {
    expect(await usesFor(selection, variables)).toBe(0)
  })

  test.each<[selection: string, variables?: Record<string, unknown>]>([
    ['id(a: 5)'],
    ['float(a: 5)'],
    ['float(a: 2.5)'],
    ['int(a: 2147483648)'],
    ['int(a: "5")'],
    ['int(a: true)'],
    ['boolean(a: "true")'],
    ['text(a: 5)'],
    ['text(a: true)'],
    ['text(a: null)'],
    ['size(a: SMALL)'],
    ['size(a: "SMALL")'],
    ['float(a: "1")'],
    ['list(a: [1])'],
    ['list(a: 1)'],
    ['box(a: {})'],
    ['sure'],
    ['usualList'],
    ['usualBox'],
    ['text(a: $s)', {}],
    ['usual(a: $s)', {}],
    ['usual(a: $s, b: $n)', { s: 'x' }],
    ['usual(a: $s, b: $n)', { n: 1 }],
    ['sure(a: $sure)', { sure: null }],
    ['sureDefault(a: $n)', {}],
    ['int(a: $toString)', { toString: 5 }],
    ['int(a: $toString)', {}],
  ])('%s with %j are left to the general code', async (selection, variables) => {
    expect(await usesFor(selection, variables)).toBe(1)
  })

  test("are those of a method, too, that the model has under the field's name", async () => {
    const schema = buildSchema('type Query { twice(n: Int = 2): Int }')
    const rootValue = { twice: ({ n }: { n: number }) => n * 2 }
    expect((await compile(schema, '{ twice a: twice(n: 5) }')({}, {}, undefined, rootValue)).data).toEqual({
      twice: 4,
      a: 10,
    })
  })

  test('that are no finite number are left to the general code', async () => {
    for (const usual of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const schema = buildSchema('type Query { float(a: Float = 1): String }')
      const { float } = fieldsOf(schema)
      if (float === undefined) throw new Error('expected the field')
      Object.assign(float.args[0] as object, { defaultValue: usual })
      float.resolve = (_, { a }) => String(a)
      const run = compile(schema, '{ float }')
      const reads = readsOf(float, 'args')
      expect((await run({}, {})).data).toEqual({ float: String(usual) })
      expect(reads()).toBe(1)
    }
  })
})

describe('the fields of the root', () => {
  const schemaWith = (log: string[]) => {
    const schema = buildSchema('type Query { a: Int b: Int } type Mutation { a: Int b: Int }')
    for (const type of ['Query', 'Mutation'])
      for (const field of Object.values(fieldsOf(schema, type)))
        field.resolve = async () => {
          log.push(`${field.name} begins`)
          await null
          log.push(`${field.name} ends`)
          return 1
        }
    return schema
  }

  test('of a query begin at once', async () => {
    const log: string[] = []
    const result = await compile(schemaWith(log), '{ a b }')({}, {})
    expect(result.data).toEqual({ a: 1, b: 1 })
    expect(log).toEqual(['a begins', 'b begins', 'a ends', 'b ends'])
  })

  test('of a mutation begin when the one before has ended', async () => {
    const log: string[] = []
    const result = await compile(schemaWith(log), 'mutation { a b }')({}, {})
    expect(result.data).toEqual({ a: 1, b: 1 })
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })
})

describe('compiling', () => {
  const schema = buildSchema('type Query { leaf: Leaf other: Int } type Leaf { id: ID }')
  const many = (count: number) =>
    parse(`{ leaf { ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} } }`)

  test('is for a thousand fields at most', () => {
    expect(compileOperation(schema, many(999), undefined)).toBeDefined()
    expect(compileOperation(schema, many(1000), undefined)).toBeUndefined()
  })

  test('notes what the code and the fields keep', () => {
    const noted: number[] = []
    compileOperation(schema, parse('{ leaf { id } other }'), undefined, (bytes) => noted.push(bytes))
    expect(noted).toHaveLength(1)
    const characters =
      ((noted[0] as number) - 3 * estimatedBytes.executedField) / estimatedBytes.codeCharacter
    expect(characters).toBeGreaterThan(100)
    expect(Number.isInteger(characters)).toBe(true)
  })

  test('fails with an error that is not its own', () => {
    const error = new Error('no memory')
    const noteBytes = () => {
      throw error
    }
    expect(() => compileOperation(schema, parse('{ other }'), undefined, noteBytes)).toThrow(error)
  })

  test('is not for what the schema or the document does not have', () => {
    expect(compileOperation(schema, parse('mutation { other }'), undefined)).toBeUndefined()
    expect(compileOperation(schema, parse('query A { other }'), 'B')).toBeUndefined()
    expect(compileOperation(schema, parse('query A { other } query B { other }'), undefined)).toBeUndefined()
    expect(compileOperation(schema, parse('{ unknown }'), undefined)).toBeUndefined()
    expect(compileOperation(schema, parse('query A { other } query B { other }'), 'B')).toBeDefined()
  })
})
