/** Values that need no completion, and others: each has the result that graphql gives. */
import {
  assertScalarType,
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import { createExecutor } from '../../../../../engine/subgraphs/in-process/executor/index.ts'

const plainly = ({ data, errors = [] }: ExecutionResult) => ({
  data: JSON.stringify(data),
  errors: errors.map(({ message, path }) => [message, path]),
})

async function expectSame(schema: GraphQLSchema, rootValue: object, text = '{ value }'): Promise<void> {
  const document = parse(text)
  const run = createExecutor(schema, document, getOperationAST(document)!)
  const expected = plainly(await execute({ schema, document, rootValue }))
  expect(plainly(await run({}, {}, undefined, rootValue))).toEqual(expected)
}

const schemaOf = (type: string): GraphQLSchema => {
  const schema = buildSchema(`
    scalar Free
    scalar Own
    enum Size { SMALL LARGE }
    type Query { value: ${type} }
  `)
  assertScalarType(schema.getType('Own')).serialize = (value) => `own ${String(value)}`
  return schema
}

const texts = ['text', '', 'SMALL', 'HUGE', '7', 'true']
const numbers = [
  0,
  -1,
  7,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 31,
  0.5,
  -1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
]
const others = [true, false, null, undefined, {}, [], ['text'], new Error('no value'), () => 'text', () => 7]

test.each(['String', 'ID', 'Int', 'Float', 'Boolean', 'Free', 'Own', 'Size', '[String]'])(
  'every value of type %s',
  async (type) => {
    for (const value of [...texts, ...numbers, ...others, Promise.resolve('text'), Promise.resolve(7)])
      for (const each of [type, `${type}!`]) {
        await expectSame(schemaOf(each), { value })
        const resolved = schemaOf(each)
        resolved.getQueryType()!.getFields().value!.resolve = () => value
        await expectSame(resolved, {})
      }
  },
)

test('a property that throws is an error of its field', async () => {
  const schema = buildSchema('type Query { only: Model } type Model { name: String sure: String! }')
  const only = {
    get name(): string {
      throw new Error('no name')
    },
    get sure(): string {
      throw new Error('not sure')
    },
  }
  await expectSame(schema, { only }, '{ only { name } }')
  await expectSame(schema, { only }, '{ only { sure } }')
})

test('the name of a prototype is a key like any other', async () => {
  const schema = buildSchema('type Query { only: Model } type Model { name: String self: Model }')
  const only = { name: 'a', self: async () => ({ name: 'b' }) }
  await expectSame(schema, { only }, '{ only { __proto__: name constructor: self { __proto__: name } } }')
  await expectSame(schema, { only }, '{ only { __proto__: self { name } } }')
})
