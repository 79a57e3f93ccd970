/** How subgraphs are reached over HTTP, as the configuration file says: a real process before real servers. */
import { expect, test } from 'vitest'
import { shop, startRouter, startService, supergraphOf } from '../../support/router.ts'

test('addresses in the configuration win over those in the supergraph, and a subgraph has a timeout of its own', async () => {
  await using products = await startService('products', shop.products)
  await using reviews = await startService('reviews', shop.reviews)
  await using router = await startRouter({
    supergraph: supergraphOf([{ ...products, url: 'http://127.0.0.1:1/graphql' }, reviews]),
    config: {
      traffic: {
        all: { timeoutMs: 20_000 },
        subgraphs: { products: { url: products.url }, reviews: { timeoutMs: 50 } },
      },
    },
  })
  const whole = await router.ask('{ products { name stars } }')
  expect(whole.body.data.products[0]).toEqual({ name: 'Table', stars: 4 })
  reviews.intercept = () => true
  const late = await router.ask('{ products { name stars } }')
  expect(late.body.data.products[0]).toEqual({ name: 'Table', stars: null })
  expect(late.body.errors[0].extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT', service: 'reviews' })
})
