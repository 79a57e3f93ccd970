/** Runs the examples of this folder and prints what they answer, as one line of JSON. */
import { subgraphNames } from 'tessera-graph/subgraphs'
import { startBooksService } from './books-service.ts'
import { createApolloServer } from './in-apollo-server.ts'
import { createServer } from './in-fastify.ts'
import { createBooksGraph } from './own-graph.ts'

const books = await startBooksService()
const graph = createBooksGraph(books.url)

const paged = await graph.execute({
  query: '{ books(first: 4) { nodes { title } pageInfo { hasNextPage } totalCount } }',
})
const before = books.requests.length
const looked = await graph.execute({
  query:
    '{ a: book(bookId: "b2") { title } b: book(bookId: "b5") { title } c: book(bookId: "none") { title } }',
})
const lookUps = books.requests.slice(before)

const server = createServer(graph)
const address = await server.listen({ host: '127.0.0.1', port: 0 })
const response = await fetch(`${address}/graphql`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
  body: JSON.stringify({ query: '{ book(bookId: "b1") { title } nope }' }),
})
const refused = { status: response.status, body: await response.json() }
await server.close()
await graph.close()
books.close()

const sandbox = process.argv[2]
let videos: unknown
if (sandbox !== undefined) {
  const apollo = createApolloServer(sandbox)
  await apollo.start()
  const { body } = await apollo.executeOperation({
    query: '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }',
  })
  videos = body.kind === 'single' ? body.singleResult : undefined
  await apollo.stop()
}
process.stdout.write(`${JSON.stringify({ paged, looked, lookUps, refused, videos, subgraphNames })}\n`)
