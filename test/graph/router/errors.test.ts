/** Which parts of subgraphs' errors clients see, by the rules of the configuration file. */
import { expect, test } from 'vitest'
import { shop, startInFront } from '../../support/router.ts'

const shownErrors = { messages: true, extensions: true }

test('errors are masked or shown for each subgraph, and of their extensions what a list allows', async () => {
  const failing = (path: string) => (_: unknown, response: import('node:http').ServerResponse) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        data: { [path]: null },
        errors: [
          {
            message: 'the table is gone',
            path: [path],
            extensions: { code: 'TABLE_GONE', hint: 'look elsewhere', host: '10.0.0.7' },
          },
        ],
      }),
    )
  }
  const { router, products, reviews } = await startInFront(shop, {
    config: {
      errors: {
        all: { messages: false },
        subgraphs: { products: { messages: true, extensions: ['code', 'hint'] } },
      },
    },
  })
  products.intercept = failing('product')
  reviews.intercept = failing('reviewCount')
  const shown = (await router.ask('{ product(id: "1") { id } }')).body.errors
  expect(shown).toEqual([
    {
      message: 'the table is gone',
      path: ['product'],
      extensions: { code: 'TABLE_GONE', hint: 'look elsewhere', service: 'products' },
    },
  ])
  const masked = (await router.ask('{ reviewCount }')).body.errors
  expect(masked).toEqual([
    {
      message: 'The subgraph reviews reported an error.',
      path: ['reviewCount'],
      extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'reviews' },
    },
  ])
})

const refusing =
  (message: string, code: string) =>
  (_: unknown, response: import('node:http').ServerResponse): void => {
    response.writeHead(422, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ errors: [{ message, extensions: { code } }], data: null }))
  }

const shown = { errors: { subgraphs: { products: shownErrors, reviews: shownErrors } } }

// A subgraph with an older schema, as gqlgen refuses: the client's document is valid.
test.each([
  'GRAPHQL_VALIDATION_FAILED',
  'GRAPHQL_PARSE_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'PERSISTED_QUERY_ONLY',
])('%s of a subgraph is no fault of the client, and the log has it', async (code) => {
  const { router, reviews } = await startInFront(shop, {
    config: { ...shown, log: { level: 'debug' } },
  })
  const message = 'Cannot query field "reviewCount" on type "Query".'
  reviews.intercept = refusing(message, code)
  expect((await router.ask('{ reviewCount }')).body.errors).toEqual([
    { message, path: ['reviewCount'], extensions: { code: 'UPSTREAM_BAD_RESPONSE', service: 'reviews' } },
  ])
  expect(router.command.output()).toContain(code)
})

// Servers refuse a wrong value of a custom scalar by the same code.
test.each([
  ['query ($id: ID!) { product(id: $id) { id } }', 'UPSTREAM_BAD_RESPONSE'],
  ['{ product(id: "1") { id } }', 'GRAPHQL_VALIDATION_FAILED'],
])('if a subgraph refuses %s, the code is %s', async (query, expected) => {
  const { router, products } = await startInFront(shop, { config: shown })
  products.intercept = refusing('There is a fault.', 'GRAPHQL_VALIDATION_FAILED')
  const { errors } = (await router.ask({ query, variables: { id: '1' } })).body
  expect(errors).toMatchObject([{ extensions: { code: expected } }])
})

test('an operation that cannot be planned has its own code, and is neither executed nor explained to clients', async () => {
  const mutations = (name: string) => ({
    sdl: `type Query { ${name}: Int } type Mutation { ${name}Changed(to: Int): Int }`,
    resolvers: { Mutation: { [`${name}Changed`]: (_: unknown, { to }: { to: number }) => to } },
  })
  const { router, one, two } = await startInFront({ one: mutations('one'), two: mutations('two') })
  const names = ['a', 'b', 'c', 'd', 'e']
  // Each key stands a second time, behind one of the other subgraph: its place depends on a variable.
  const query = (count: number): string => {
    const keys = names.slice(0, count)
    const first = keys.map((name, at) => `${name}: oneChanged(to: ${at}) @include(if: $${name})`)
    const again = keys.map((name, at) => `${name}: oneChanged(to: ${at})`)
    const declared = keys.map((name) => `$${name}: Boolean = true`)
    return `mutation (${declared.join(', ')}) { ${first.join(' ')} twoChanged(to: 9) ${again.join(' ')} }`
  }
  const planned = await router.ask(query(4))
  expect(planned.body).toEqual({ data: { a: 0, b: 1, c: 2, d: 3, twoChanged: 9 } })
  const asked = one.asked.length + two.asked.length
  const refused = await router.ask(query(5))
  expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([500, 'OPERATION_NOT_PLANNABLE'])
  expect(JSON.stringify(refused.body)).not.toContain('variables')
  expect(one.asked.length + two.asked.length).toBe(asked)
})
