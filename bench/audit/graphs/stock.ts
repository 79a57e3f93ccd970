/** Keys and required fields with rules, fields that clients cannot select, and fields that moved or are shared. */
import type { Graph } from '../lib/types.ts'

const products = ['1', '2'].map((id) => ({
  id,
  title: `title-${id}`,
  sku: `SECRET-sku-${id}`,
  cost: Number(id) * 1000,
  margin: `SECRET-margin-${id}`,
  hidden: `SECRET-hidden-${id}`,
  label: `SECRET-label-${id}`,
}))
const productOf = (id: string) => products.find((one) => one.id === id) ?? null

export const stock: Graph = {
  name: 'stock',
  probes: { deferred: '{ products { title } ... @defer { again: products { title } } }' },
  subgraphs: [
    {
      name: 'products',
      sdl: `
        type Query { product(id: ID!): Product products: [Product!] }
        type Product @key(fields: "id") @key(fields: "sku") {
          id: ID!
          title: String
          sku: String @requiresScopes(scopes: [["sku"]])
          margin: String @requiresScopes(scopes: [["margin"]])
          hidden: String @inaccessible
          label: String @shareable @requiresScopes(scopes: [["label"]])
          moved: String @requiresScopes(scopes: [["moved"]])
        }
        type Ledger @inaccessible { total: String }
        extend type Query { ledger: Ledger @inaccessible }
      `,
      resolvers: {
        Query: {
          product: (_: unknown, { id }: { id: string }) => productOf(id),
          products: () => products,
          ledger: () => ({ total: 'SECRET-total' }),
        },
        Product: {
          __resolveReference: ({ id, sku }: { id?: string; sku?: string }) =>
            products.find((one) => one.id === id || one.sku === sku) ?? null,
          moved: ({ id }: { id: string }) => `SECRET-moved-${id}`,
        },
      },
    },
    {
      name: 'shipping',
      sdl: `
        type Product @key(fields: "sku") {
          sku: String @external
          place: String
        }
      `,
      resolvers: {
        Product: {
          __resolveReference: ({ sku }: { sku: string }) => ({ sku }),
          place: ({ sku }: { sku: string }) => `place-${sku.at(-1)}`,
        },
      },
    },
    {
      name: 'pricing',
      sdl: `
        type Product @key(fields: "id") {
          id: ID!
          margin: String @external
          price: String @requires(fields: "margin") @requiresScopes(scopes: [["margin"]])
          currency: String
          label: String @shareable
          moved: String @override(from: "products")
        }
      `,
      resolvers: {
        Product: {
          price: ({ margin }: { margin?: string }) => `SECRET-price-of-${margin ?? 'nothing'}`,
          currency: () => 'EUR',
          label: ({ id }: { id: string }) => `SECRET-label-${id}`,
          moved: ({ id }: { id: string }) => `SECRET-moved-${id}`,
        },
      },
    },
  ],
}
