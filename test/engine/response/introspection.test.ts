/** Introspection of defaults, also of those that graphql cannot print. */
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { createHandler } from '../../../gateway/hosts/library.ts'
import { keep } from '../../support/keep.ts'
import { supergraphOf } from '../../support/router.ts'

const written = ['{a: [1, "x", E]}', '[]', '9007199254740993', '{size: 3}', '{}']
const [object, list, long, input, empty] = written
const sdl = `
  scalar JSON
  input In { size: Int = 3 json: JSON = ${object} }
  type Query {
    all(a: JSON = ${object}, b: JSON = ${list}, c: JSON = ${long}, d: In = ${input}, e: In = ${empty}, f: In): Int
  }`

async function introspect(): Promise<IntrospectionQuery> {
  const graph = createHandler({ supergraph: supergraphOf([{ name: 'a', url: 'http://127.0.0.1:1/', sdl }]) })
  keep({ [Symbol.asyncDispose]: () => graph.close() })
  const { body } = await graph.respond({
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery({ inputValueDeprecation: true }) }),
  })
  const { data, errors } = JSON.parse(String(body)) as { data: IntrospectionQuery; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

test('a default is told as the schema has it, also an object, a list or a long number of a custom scalar', async () => {
  const data = await introspect()
  const [all] = data.__schema.types.flatMap((type) =>
    type.name === 'Query' && 'fields' in type ? type.fields : [],
  )
  expect(all?.args.map(({ defaultValue }) => defaultValue)).toEqual([...written, null])
  // Directives of graphql itself have defaults, too.
  const schema = buildClientSchema(data)
  expect(schema.getDirective('deprecated')?.args[0]?.defaultValue).toBe('No longer supported')
})

// Apollo Kotlin 4.3 and cynic 3 (Rust) read no schema in which another location occurs.
test('directives stand only at locations that the edition of October 2021 has', async () => {
  const known = [
    ...[
      'QUERY',
      'MUTATION',
      'SUBSCRIPTION',
      'FIELD',
      'FRAGMENT_DEFINITION',
      'FRAGMENT_SPREAD',
      'INLINE_FRAGMENT',
    ],
    ...['VARIABLE_DEFINITION', 'SCHEMA', 'SCALAR', 'OBJECT', 'FIELD_DEFINITION', 'ARGUMENT_DEFINITION'],
    ...['INTERFACE', 'UNION', 'ENUM', 'ENUM_VALUE', 'INPUT_OBJECT', 'INPUT_FIELD_DEFINITION'],
  ]
  const { directives } = (await introspect()).__schema
  expect(directives.map(({ name }) => name)).toContain('deprecated')
  expect(known).toEqual(expect.arrayContaining(directives.flatMap(({ locations }) => locations)))
})
