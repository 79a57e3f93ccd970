#!/usr/bin/env bash
# Software: @apollo/client 4.3.8 with `relayStylePagination` and `GraphQL17Alpha9Handler`, and a server of graphql 17.1.0
# (npm).
#
# `relayStylePagination` joins the pages of a connection, and `@stream` lets the edges of a page come one by one. Together
# they lose items. The policy writes `pageInfo.endCursor` over the cursor of the last edge that it sees. In a streamed page
# that edge is not the last one yet, if `pageInfo` is known before all edges, deferred or not. The wrong cursor stays, so
# that the policy finds the end of the first page in its middle. It puts the second page there, in the place of the items
# after it. The list is shorter in the end, without an error. `Defer20220824Handler` loses the same items.
#
# While the second page arrives, the list also shows items of the first page in the places of those that are still to come,
# because the cache completes a streamed list from the stored list by position, and the stored list has all pages. These
# items stay if the stream of the second page fails. They do not come with `Defer20220824Handler`.
#
# A query that selects `cursor` of the edges and no `endCursor` loses nothing. It passes the cursor of the last edge as
# `after`.
#
# Source: `merge` of `relayStylePagination` in @apollo/client/utilities/policies/pagination.js (`lastEdge.cursor =
# endCursor`), and `defaultStreamFieldMergeFn` in @apollo/client/cache/inmemory/policies.js. The documentation of neither
# excludes the other.
#
# Seen on 2026-11-29: the list as it is shown, one book after the other. The pages are 1 2 3 and 4 5 6.
#   not streamed       123 123456                        no error
#   pageInfo at once   1 12 123 1423 14523 1456          no error
#   pageInfo deferred  1 12 123 1423 14523 1456          no error
#   no endCursor       1 12 123 123423 123453423 123456  no error
#   no endCursor, torn 1 12 123 123423                   The shelf fell.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @apollo/client@4.3.8 rxjs@7.8.2 graphql@17.1.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ApolloClient, gql, HttpLink, InMemoryCache, NetworkStatus } from '@apollo/client'
import { GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { relayStylePagination } from '@apollo/client/utilities'
import { buildSchema, experimentalExecuteIncrementally, parse } from 'graphql'

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
  type Query { books(after: String): BookConnection }
  type BookConnection { edges: [BookEdge!]! pageInfo: PageInfo! }
  type BookEdge { cursor: String! node: Book! }
  type Book { id: ID! }
  type PageInfo { endCursor: String hasNextPage: Boolean! }
`)
let torn
/** The pause gives each edge a result of its own. */
async function* edges([first, ...others], isTorn) {
  yield { cursor: first, node: { id: first } }
  for (const id of others) {
    await wait(50)
    if (isTorn) throw new Error('The shelf fell.')
    yield { cursor: id, node: { id } }
  }
}
const rootValue = {
  books({ after }) {
    const ids = after === undefined ? ['1', '2', '3'] : ['4', '5', '6']
    return {
      edges: edges(ids, torn && after !== undefined),
      pageInfo: { endCursor: ids[2], hasNextPage: after === undefined },
    }
  },
}
const server = createServer(async (request, response) => {
  let body = ''
  for await (const text of request.setEncoding('utf8')) body += text
  const { query, variables } = JSON.parse(body)
  const execution = { schema, rootValue, document: parse(query), variableValues: variables }
  const result = await experimentalExecuteIncrementally(execution)
  if (result.initialResult === undefined) {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
    return
  }
  response.setHeader('content-type', 'multipart/mixed; boundary="-"')
  const write = (part) => response.write(`\r\n---\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(part)}`)
  write(result.initialResult)
  for await (const part of result.subsequentResults) write(part)
  response.end('\r\n-----\r\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const uri = `http://127.0.0.1:${server.address().port}/`
const stream = 'edges @stream(initialCount: 1) { cursor node { id } }'
const info = 'pageInfo { endCursor hasNextPage }'
for (const [name, selection, isTorn] of [
  ['not streamed', `edges { cursor node { id } } ${info}`, false],
  ['pageInfo at once', `${stream} ${info}`, false],
  ['pageInfo deferred', `${stream} ... @defer { ${info} }`, false],
  ['no endCursor', `${stream} pageInfo { hasNextPage }`, false],
  ['no endCursor, torn', `${stream} pageInfo { hasNextPage }`, true],
]) {
  torn = isTorn
  const client = new ApolloClient({
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { books: relayStylePagination() } } } }),
    link: new HttpLink({ uri }),
    incrementalHandler: new GraphQL17Alpha9Handler(),
  })
  const query = gql(`query ($after: String) { books(after: $after) { ${selection} } }`)
  const list = client.watchQuery({ query })
  const shown = []
  await new Promise((resolve) => {
    list.subscribe(({ data, networkStatus }) => {
      const ids = data?.books?.edges.map(({ node }) => node.id).join('') ?? ''
      if (ids !== '' && ids !== shown.at(-1)) shown.push(ids)
      if (networkStatus === NetworkStatus.ready) resolve()
    })
  })
  const error = await list.fetchMore({ variables: { after: '3' } }).then(() => 'no error', ({ message }) => message)
  await wait(100)
  console.log(`${name.padEnd(18)} ${shown.join(' ').padEnd(33)} ${error}`)
  client.stop()
}
server.closeAllConnections()
server.close()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
not streamed       123 123456                        no error
pageInfo at once   1 12 123 1423 14523 1456          no error
pageInfo deferred  1 12 123 1423 14523 1456          no error
no endCursor       1 12 123 123423 123453423 123456  no error
no endCursor, torn 1 12 123 123423                   The shelf fell.
EXPECTED
