#!/usr/bin/env bash
# Software: @urql/core 6.0.3, with servers of graphql 17.1.0 and, beside it, of graphql 17.0.0-alpha.2 (npm).
#
# urql merges incremental results of two formats, of 2022 and of June 2023 (`pending`, `id`, `completed`). graphql 17
# sends the later format. The path of a `@stream` is `["books", 1]` in the first: its end is the index of the first item.
# The path is `["books"]` in the second: it names the list, and the items are to be appended. urql reads the index from
# the end of the path in both formats, and takes 0 if no number stands there. It then writes to the object that contains
# the list. The streamed items therefore become properties `0`, `1` and so on beside the list. The list keeps its initial
# items, and each result overwrites the items of the result before. An error that ends a list stands in `completed`,
# which urql does not read. The query ends with part of a list and without an error.
#
# Source: `mergeResultPatch` in @urql/core/dist/urql-core-chunk.mjs. The changelog says of 4.1.4 that it implements the
# protocol's changes for `@defer` and `@stream`, and the types describe `pending` and `id`.
#
# Seen on 2026-11-29, `@stream(initialCount: 1)` on a list of three books and on a list that fails after one:
#   17.0.0-alpha.2  {"books":[{"id":"1"},{"id":"2"},{"id":"3"}]}  no error
#   17.0.0-alpha.2  {"torn":[{"id":"1"},null]}  [GraphQL] The shelf fell.
#   17.1.0          {"0":{"id":"3"},"books":[{"id":"1"}]}  no error
#   17.1.0          {"torn":[{"id":"1"}]}  no error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @urql/core@6.0.3 \
  graphql-2022@npm:graphql@17.0.0-alpha.2 graphql-17@npm:graphql@17.1.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, fetchExchange } from '@urql/core'

/** The pause gives each book a result of its own. */
async function* shelf(count, end) {
  for (let id = 1; id <= count; id++) {
    yield { id }
    await wait(50)
  }
  if (end !== undefined) throw new Error(end)
}
const rootValue = { books: () => shelf(3), torn: () => shelf(1, 'The shelf fell.') }
const executors = new Map()
for (const name of ['graphql-2022', 'graphql-17']) {
  const { buildSchema, experimentalExecuteIncrementally, parse, version } = await import(name)
  const schema = buildSchema(`
    directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
    type Query { books: [Book] torn: [Book] }
    type Book { id: ID }
  `)
  executors.set(version, (query) => experimentalExecuteIncrementally({ schema, rootValue, document: parse(query) }))
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const text of request.setEncoding('utf8')) body += text
  const execute = executors.get(request.url.slice(1))
  const { initialResult, subsequentResults } = await execute(JSON.parse(body).query)
  response.setHeader('content-type', 'multipart/mixed; boundary="-"')
  const write = (result) =>
    response.write(`\r\n---\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(result)}`)
  write(initialResult)
  for await (const result of subsequentResults) write(result)
  response.end('\r\n-----\r\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')

for (const version of executors.keys()) {
  const url = `http://127.0.0.1:${server.address().port}/${version}`
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false })
  for (const field of ['books', 'torn']) {
    const { data, error } = await client.query(`{ ${field} @stream(initialCount: 1) { id } }`, {})
    console.log(`${version.padEnd(15)} ${JSON.stringify(data)}  ${error?.message ?? 'no error'}`)
  }
}
server.closeAllConnections()
server.close()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
17.0.0-alpha.2  {"books":[{"id":"1"},{"id":"2"},{"id":"3"}]}  no error
17.0.0-alpha.2  {"torn":[{"id":"1"},null]}  [GraphQL] The shelf fell.
17.1.0          {"0":{"id":"3"},"books":[{"id":"1"}]}  no error
17.1.0          {"torn":[{"id":"1"}]}  no error
EXPECTED
