#!/usr/bin/env bash
# Software: @urql/core 6.0.3 with graphql 16.14.2 (npm).
#
# A query may be given to urql as text or as a document of `gql`. For a named operation the two have different keys,
# even if the text is to the letter what the document prints to: the hash of a document takes in the operation's name
# once more, and that of a text does not. All that is kept by key is therefore kept twice. `cacheExchange` asks the
# network again for what it has, and `ssrExchange` does not find in the browser what the server rendered, if the one
# side gives a text (from a generated file, for example) and the other a document. Nothing warns of it; the pages
# differ in their number of requests alone.
# An operation without a name has one key, if its text stands as graphql-js prints it.
#
# Source: `hashDocument` and `keyDocument` in @urql/core/dist/urql-core-chunk.mjs; `definitions` is read from a document
# only, and a text is hashed before it is parsed.
#
# Seen on 2026-11-28: whether the keys are equal, and the requests for one query that is given first as text and then
# as a document, by each exchange.
#   named    same text true   same key false   cacheExchange 2 requests   ssrExchange 2 requests
#   unnamed  same text true   same key true    cacheExchange 1 requests   ssrExchange 1 requests
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund @urql/core@6.0.3 graphql@16.14.2 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { cacheExchange, Client, createRequest, fetchExchange, gql, ssrExchange, stringifyDocument } from '@urql/core'

let requests = 0
const server = createServer((request, response) => {
  requests += 1
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: { book: { title: 'Tides', __typename: 'Book' } } }))
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/`
const clientOf = (...exchanges) =>
  new Client({ url, exchanges: [...exchanges, fetchExchange], preferGetMethod: false })

/** The number of requests while the function runs. */
const counted = async (run) => {
  const before = requests
  await run()
  return requests - before
}

for (const [name, text] of Object.entries({
  named: 'query Book {\n  book {\n    title\n  }\n}',
  unnamed: '{\n  book {\n    title\n  }\n}',
})) {
  const document = gql(text)
  const cached = await counted(async () => {
    const client = clientOf(cacheExchange)
    await client.query(text, {})
    await client.query(document, {})
  })
  const rendered = await counted(async () => {
    const onServer = ssrExchange({ isClient: false })
    await clientOf(onServer).query(text, {})
    const inBrowser = ssrExchange({ isClient: true, initialState: onServer.extractData() })
    await clientOf(inBrowser).query(document, {})
  })
  const sameText = stringifyDocument(createRequest(text, {}).query) === stringifyDocument(document)
  const sameKey = createRequest(text, {}).key === createRequest(document, {}).key
  console.log(
    `${name.padEnd(8)} same text ${sameText}   same key ${String(sameKey).padEnd(5)}   ` +
      `cacheExchange ${cached} requests   ssrExchange ${rendered} requests`,
  )
}
server.closeAllConnections()
server.close()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
named    same text true   same key false   cacheExchange 2 requests   ssrExchange 2 requests
unnamed  same text true   same key true    cacheExchange 1 requests   ssrExchange 1 requests
EXPECTED
