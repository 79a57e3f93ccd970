/**
 * The product's copy of Apollo Server, because the schemas are made by the product's `graphql`, and the server must
 * have the same.
 */
import { createRequire } from 'node:module'

const fromProduct = createRequire(new URL('../../gateway/hosts/apollo.ts', import.meta.url))

export const { ApolloServer } = fromProduct('@apollo/server') as typeof import('@apollo/server')
export const { startStandaloneServer } = fromProduct(
  '@apollo/server/standalone',
) as typeof import('@apollo/server/standalone')
