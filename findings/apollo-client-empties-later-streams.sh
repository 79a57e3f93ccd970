#!/usr/bin/env bash
# Software: @apollo/client 4.3.8 with its `GraphQL17Alpha9Handler`, and a server of graphql 17.0.0-alpha.9 (npm).
#
# The client loses a `@stream` list that a later result announces. This is so for a list inside the items of another
# streamed list, and for a list inside deferred data that came with a `subPath`. The client shows the list's first
# items, and empties the list when more of them arrive. The query then succeeds with an empty list. The program cannot
# tell it from a list that is empty at the server. The same list is complete if it stands in the first result, or in
# deferred data without a `subPath`.
#
# Source: `handle` in @apollo/client/incremental/handlers/graphql17Alpha9.js. It sets `streamPositions` for lists in the
# data of the first result and in deferred data. It does not look into `items`, and it does not count `subPath` when it
# looks into deferred data. The position is then `undefined` plus a number, so that the items get the index NaN. The
# list is cut at the same position (`slice(0, NaN)`). The changelog names support for `@stream` without such a limit.
#
# Seen on 2026-11-29, the chapters of each book at the end of the query (graphql 17.1.0 as the server gives the same):
#   books are whole               1: 1 2 3    2: 1 2 3    no error
#   books are streamed            1: 1 2 3    2: none     no error
#   book is deferred              1: 1 2 3    no error
#   book is deferred by subPath   1: none     no error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @apollo/client@4.3.8 rxjs@7.8.2 graphql@16.15.0 \
  graphql-alpha@npm:graphql@17.0.0-alpha.9 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { buildSchema, experimentalExecuteIncrementally, parse } from 'graphql-alpha'

async function* streamed(items) {
  for (const item of items) {
    yield item
    await wait(20)
  }
}
const book = (title) => ({ title, chapters: () => streamed([{ title: 1 }, { title: 2 }, { title: 3 }]) })
const books = [book(1), book(2)]
const rootValue = { books, later: () => streamed(books), shelf: { room: { name: 'Hall', book: books[0] } } }
const schema = buildSchema(`
  directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { books: [Book] later: [Book] shelf: Shelf }
  type Shelf { room: Room }
  type Room { name: String book: Book }
  type Book { title: String chapters: [Chapter] }
  type Chapter { title: String }
`)
const server = createServer(async (request, response) => {
  let body = ''
  for await (const text of request.setEncoding('utf8')) body += text
  const document = parse(JSON.parse(body).query)
  const { initialResult, subsequentResults } = await experimentalExecuteIncrementally({ schema, rootValue, document })
  response.setHeader('content-type', 'multipart/mixed; boundary="-"')
  const write = (result) =>
    response.write(`\r\n---\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(result)}`)
  write(initialResult)
  for await (const result of subsequentResults) write(result)
  response.end('\r\n-----\r\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const uri = `http://127.0.0.1:${server.address().port}/`
const chapters = 'title chapters @stream(initialCount: 1) { title }'
for (const [name, query, booksOf] of [
  ['books are whole', `{ books { ${chapters} } }`, ({ books }) => books],
  ['books are streamed', `{ later @stream(initialCount: 1) { ${chapters} } }`, ({ later }) => later],
  ['book is deferred', `{ shelf { ... @defer { room { book { ${chapters} } } } } }`, ({ shelf }) => [shelf.room.book]],
  [
    'book is deferred by subPath',
    `{ shelf { room { name } ... @defer { room { book { ${chapters} } } } } }`,
    ({ shelf }) => [shelf.room.book],
  ],
]) {
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri }),
    incrementalHandler: new GraphQL17Alpha9Handler(),
  })
  const { data, error } = await client.query({ query: gql(query), errorPolicy: 'all' })
  const titles = booksOf(data).map(
    ({ title, chapters }) => `${title}: ${(chapters.map(({ title }) => title).join(' ') || 'none').padEnd(7)}`,
  )
  console.log(`${name.padEnd(29)} ${titles.join('  ')}  ${error?.message ?? 'no error'}`)
  client.stop()
}
server.closeAllConnections()
server.close()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
books are whole               1: 1 2 3    2: 1 2 3    no error
books are streamed            1: 1 2 3    2: none     no error
book is deferred              1: 1 2 3    no error
book is deferred by subPath   1: none     no error
EXPECTED
