/** What introspection tells of defaults and directives, of the API schema and of a subgraph. */
import {
  buildSchema,
  DirectiveLocation,
  GraphQLDirective,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import { createExecutor } from '../../../../../engine/subgraphs/in-process/executor/index.ts'

async function told(schema: GraphQLSchema, query: string): Promise<unknown> {
  const document = parse(query)
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('The test has no operation.')
  const { data, errors } = await createExecutor(schema, document, operation)({}, {})
  expect(errors).toBeUndefined()
  return JSON.parse(JSON.stringify(data))
}

const defaultsIn = (schema: GraphQLSchema) =>
  told(schema, '{ __type(name: "Query") { fields { args { defaultValue } } } }')
const toldDefaults = (...defaults: readonly (string | null)[]) => ({
  __type: { fields: [{ args: defaults.map((defaultValue) => ({ defaultValue })) }] },
})

test('a default is told as it is written, whatever its type', async () => {
  const written = ['B', '3', '"""\na\n  b\n"""', '[A, B]', 'A', '{n: 1}', 'null', '5', '1e2']
  const types = ['E', 'Float', 'String', '[E!]', '[E]', 'In', 'In', 'ID', 'Float']
  const args = types.map((type, at) => `a${at}: ${type} = ${written[at]}`).join(' ')
  const schema = buildSchema(
    `enum E { A B } input In { n: Int m: Int = 2 } type Query { a(${args}, b: E): Int }`,
  )
  expect(await defaultsIn(schema)).toEqual(toldDefaults(...written, null))
})

test('a default that does not fit its type is not told', async () => {
  const schema = buildSchema(
    'enum E { A } type Query { a(e: E = ABSENT, of: [E] = [A, ABSENT], n: Int = "x"): Int }',
  )
  expect(await defaultsIn(schema)).toEqual(toldDefaults(null, null, null))
})

test('a schema that is made of code has defaults, too', async () => {
  const a = { type: GraphQLInt, args: { n: { type: GraphQLInt, defaultValue: 4 }, m: { type: GraphQLInt } } }
  const query = new GraphQLObjectType({ name: 'Query', fields: { a } })
  expect(await defaultsIn(new GraphQLSchema({ query }))).toEqual(toldDefaults('4', null))
})

test('only @deprecated lacks the location that older tools do not know', async () => {
  const own = new GraphQLDirective({ name: 'own', locations: [DirectiveLocation.DIRECTIVE_DEFINITION] })
  const base = buildSchema('type Query { a: Int }').toConfig()
  const schema = new GraphQLSchema({ ...base, directives: [...base.directives, own] })
  const { __schema } = (await told(schema, '{ __schema { directives { name locations } } }')) as {
    readonly __schema: { readonly directives: readonly { name: string; locations: readonly string[] }[] }
  }
  const locationsOf = (name: string) => __schema.directives.find((each) => each.name === name)?.locations
  expect(locationsOf('deprecated')).toEqual([
    'FIELD_DEFINITION',
    'ARGUMENT_DEFINITION',
    'INPUT_FIELD_DEFINITION',
    'ENUM_VALUE',
  ])
  expect(locationsOf('own')).toEqual(['DIRECTIVE_DEFINITION'])
})
