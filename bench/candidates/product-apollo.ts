/** Apollo Server as the product has it: its schemas are made by the product's `graphql`, which must be the server's. */
import { createRequire } from 'node:module'

const fromProduct = createRequire(new URL('../../gateway/hosts/apollo.ts', import.meta.url))

export const { ApolloServer } = fromProduct('@apollo/server') as typeof import('@apollo/server')
export const { startStandaloneServer } = fromProduct(
  '@apollo/server/standalone',
) as typeof import('@apollo/server/standalone')
