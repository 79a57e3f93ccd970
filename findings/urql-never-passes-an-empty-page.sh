#!/usr/bin/env bash
# Software: @urql/exchange-graphcache 9.0.2 with @urql/core 6.0.3, beside @apollo/client 4.3.8, and a server of graphql
# 16.15.0 (npm).
#
# A page of a connection may be empty and have a next one, for example if a server filters each page after it has read it.
# The last page is empty if the server cannot know that nothing follows. `relayPagination` of urql's normalized cache skips
# empty pages after the first result, together with their `pageInfo`. The joined list keeps the `endCursor` and
# `hasNextPage` of the page before. A program that asks for the page after `endCursor`, as long as there is a next one,
# therefore asks for the same empty page for ever. With the policy `cache-first` the answers come from the cache, with
# `network-only` each of them is a request. The pages after an empty one are never read, and a list with an empty last page
# never ends. Without `relayPagination`, and with `relayStylePagination` of Apollo Client, all pages are read.
#
# Source: the loop over the pages in @urql/exchange-graphcache/dist/urql-exchange-graphcache-extras.mjs. The pages are
# skipped since https://github.com/urql-graphql/urql/pull/2431, so that an empty page without cursors does not remove those
# that are known. A cursor of an empty page is skipped as well. The Relay specification of connections requires no edges
# of a page that has a next one.
#
# Seen on 2026-11-29: the cursors that were asked for, in at most six steps, and the items of the joined list.
#   between  urql, relayPagination  - 1 1 1 1 1  a
#   between  urql without it        - 1 2        a b
#   between  Apollo Client          - 1 2        a b
#   last     urql, relayPagination  - 1 2 2 2 2  a b
#   last     urql without it        - 1 2        a b
#   last     Apollo Client          - 1 2        a b
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @urql/core@6.0.3 @urql/exchange-graphcache@9.0.2 \
  @apollo/client@4.3.8 rxjs@7.8.2 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { buildSchema, graphql } from 'graphql'

const schema = buildSchema(`
  type Query { between(first: Int, after: String): Books last(first: Int, after: String): Books }
  type Books { edges: [BookEdge!]! pageInfo: PageInfo! }
  type BookEdge { cursor: String! node: Book! }
  type Book { id: ID! }
  type PageInfo { endCursor: String hasNextPage: Boolean! }
`)
/** Each page is a text of one or no letter, which is the id of its item. Cursors count the pages that were read. */
const resolver =
  (pages) =>
  ({ after }) => {
    const at = Number(after ?? 0)
    const cursor = String(at + 1)
    return {
      edges: Array.from(pages[at], (id) => ({ cursor, node: { id } })),
      pageInfo: { endCursor: cursor, hasNextPage: at + 1 < pages.length },
    }
  }
const rootValue = { between: resolver(['a', '', 'b']), last: resolver(['a', 'b', '']) }
const server = createServer(async (request, response) => {
  let body = ''
  for await (const text of request.setEncoding('utf8')) body += text
  const { query, variables } = JSON.parse(body)
  const result = await graphql({ schema, rootValue, source: query, variableValues: variables })
  response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/`

const text = (field) =>
  `query ($after: String) {
    ${field}(first: 1, after: $after) { edges { cursor node { id } } pageInfo { endCursor hasNextPage } }
  }`
const none = () => null
function urql(resolvers, isJoined) {
  const cache = cacheExchange({ keys: { Books: none, BookEdge: none, PageInfo: none }, resolvers })
  const client = new Client({ url, preferGetMethod: false, exchanges: [cache, fetchExchange] })
  const items = []
  return async (field, after) => {
    const { data } = await client.query(text(field), { after }).toPromise()
    const ids = data[field].edges.map(({ node }) => node.id)
    items.push(...ids)
    return { pageInfo: data[field].pageInfo, items: isJoined ? ids : items }
  }
}
function apollo() {
  const fields = { between: relayStylePagination(), last: relayStylePagination() }
  const client = new ApolloClient({
    link: new HttpLink({ uri: url }),
    cache: new InMemoryCache({ typePolicies: { Query: { fields } } }),
  })
  return async (field, after) => {
    const { data } = await client.query({ query: gql(text(field)), variables: { after }, fetchPolicy: 'network-only' })
    return { pageInfo: data[field].pageInfo, items: data[field].edges.map(({ node }) => node.id) }
  }
}
const joined = { between: relayPagination(), last: relayPagination() }
for (const field of ['between', 'last'])
  for (const [name, ask] of [
    ['urql, relayPagination', urql({ Query: joined }, true)],
    ['urql without it', urql({}, false)],
    ['Apollo Client', apollo()],
  ]) {
    const asked = []
    let page
    do {
      const after = page?.pageInfo.endCursor
      asked.push(after ?? '-')
      page = await ask(field, after)
    } while (page.pageInfo.hasNextPage && asked.length < 6)
    console.log(`${field.padEnd(7)}  ${name.padEnd(21)}  ${asked.join(' ').padEnd(11)}  ${page.items.join(' ')}`)
  }
server.closeAllConnections()
server.close()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
between  urql, relayPagination  - 1 1 1 1 1  a
between  urql without it        - 1 2        a b
between  Apollo Client          - 1 2        a b
last     urql, relayPagination  - 1 2 2 2 2  a b
last     urql without it        - 1 2        a b
last     Apollo Client          - 1 2        a b
EXPECTED
