/** What clients see of subgraphs' errors, by the rules of the configuration file. */
import { expect, test } from 'vitest'
import { shop, startRouter, startService, supergraphOf } from '../../support/router.ts'

test('errors are masked or shown for each subgraph, and of their extensions what a list allows', async () => {
  await using products = await startService('products', shop.products)
  await using reviews = await startService('reviews', shop.reviews)
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
    return true
  }
  products.intercept = failing('product')
  reviews.intercept = failing('reviewCount')
  await using router = await startRouter({
    supergraph: supergraphOf([products, reviews]),
    config: {
      errors: {
        all: { messages: false },
        subgraphs: { products: { messages: true, extensions: ['code', 'hint'] } },
      },
    },
  })
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
