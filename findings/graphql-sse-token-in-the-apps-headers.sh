#!/usr/bin/env bash
# Software: graphql-sse 2.6.1, client and server, with graphql 16.15.0, from npm.
#
# With `singleConnection: true` and `headers` given as an object, the client writes the token of its stream into that
# object, which is the program's own. A second client that is made with the same object (such as `{ authorization }` of one
# module) asks for a stream of its own with the token of the first one, and the server of the same library refuses that
# with 409 Conflict, at each further try, too: it never connects, and the program sees an error about a conflict that it
# did not make. The token also goes along with every other request for which the program uses its object. `headers` as a
# function that returns a new object has none of it.
#
# Source: graphql-sse/lib/client.mjs: `headers[TOKEN_HEADER_KEY] = token`, of the object that it was given; the types say
# only that `headers` are passed along with each request. graphql-sse/lib/handler.mjs: 409 if the token is known.
#
# Seen on 2026-11-29:
#   an object:  201, 409; then the program's object has x-graphql-event-stream-token
#   a function: 201, 201
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund graphql-sse@2.6.1 graphql@16.15.0 >/dev/null
cat > try.js <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buildSchema } from 'graphql'
import { createClient } from 'graphql-sse'
import { createHandler } from 'graphql-sse/lib/use/http'

const schema = buildSchema('type Query { ready: Boolean }')
const server = createServer(createHandler({ schema })).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/`

/** The status of a new client's request for a stream. */
function connect(headers) {
  return new Promise((resolve) => {
    const fetchFn = async (address, init) => {
      const response = await fetch(address, init)
      // Later requests need the stream.
      if (init.method === 'PUT') setTimeout(() => resolve(response.status), 100)
      return response
    }
    const onNonLazyError = () => {}
    createClient({ url, singleConnection: true, lazy: false, headers, fetchFn, onNonLazyError, retryAttempts: 0 })
  })
}

const shared = { authorization: 'Bearer of-the-program' }
const byObject = [await connect(shared), await connect(shared)].join(', ')
const [written] = Object.keys(shared).filter((name) => name !== 'authorization')
const fresh = () => ({ authorization: 'Bearer of-the-program' })
const byFunction = [await connect(fresh), await connect(fresh)].join(', ')
console.log(`an object:  ${byObject}; then the program's object has ${written}\na function: ${byFunction}`)
process.exit(byObject === '201, 409' && written === 'x-graphql-event-stream-token' && byFunction === '201, 201' ? 0 : 1)
JS
node try.js
