/** The books subgraph, composed into a supergraph and served as a function. */
import { compose, createHandler, createInProcessTransport, type GraphHandler } from 'tessera-graph/engine'
import { createBooksSubgraph, typeDefs } from './books-subgraph.ts'

export function createBooksGraph(booksUrl: string): GraphHandler {
  const { supergraph, errors } = compose([{ name: 'books', url: 'http://127.0.0.1:4001/graphql', typeDefs }])
  if (supergraph === undefined) throw new AggregateError(errors, 'the subgraphs do not compose')
  return createHandler({
    supergraph,
    transports: new Map([['books', createInProcessTransport(createBooksSubgraph(booksUrl))]]),
  })
}
