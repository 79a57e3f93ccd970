#!/usr/bin/env bash
# Software: @graphql-hive/gateway-runtime 2.12.1 with @graphql-mesh/transport-http 1.2.1 (npm), on Node 22.19 or newer.
#
# `propagateHeaders` sends headers of the client, such as its token, to the subgraphs. Two options of the HTTP transport
# send a request again: `apq`, if the subgraph does not know the hash of the document yet, and `retry`, if the answer has
# errors. The second request lacks all headers that are propagated. With `apq` the subgraph therefore executes each new
# operation as that of a caller without a token, and with `retry` the second answer is that for such a caller. Static
# headers of `transportEntries` are in both requests.
#
# Source: buildHTTPExecutor in @graphql-tools/executor-http 3.4.1 takes the headers out of `extensions` of the execution
# request and stores the rest there, and is called with the same request again.
#
# Seen on 2026-11-29, the headers of the requests that one operation causes:
#   apq    first   token "Bearer 1", static "yes"
#   apq    second  token undefined, static "yes"
#   retry  first   token "Bearer 1", static "yes"
#   retry  second  token undefined, static "yes"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . node@24.21.0 @graphql-hive/gateway-runtime@2.12.1 \
  @graphql-mesh/transport-http@1.2.1 @graphql-tools/executor-http@3.4.1 @theguild/federation-composition@0.27.0 \
  graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import http from '@graphql-mesh/transport-http'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'

const refusal = { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] }
let asked = []
const subgraph = createServer(async (request, response) => {
  await text(request)
  asked.push(request.headers)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(asked.length === 1 ? refusal : { data: { viewer: '1' } }))
})
await once(subgraph.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${subgraph.address().port}/graphql`
const { supergraphSdl } = composeServices([{ name: 'own', url, typeDefs: parse('type Query { viewer: ID }') }])

for (const [name, options] of [['apq', { apq: true }], ['retry', { retry: 2 }]]) {
  asked = []
  const runtime = createGatewayRuntime({
    supergraph: supergraphSdl,
    transports: { http },
    transportEntries: { '*': { headers: [['x-static', 'yes']], options } },
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }),
    },
    logging: false,
  })
  const response = await runtime.fetch('http://gateway.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer 1' },
    body: '{"query":"{ viewer }"}',
  })
  await response.text()
  for (const [at, headers] of asked.entries()) {
    const [token, fixed] = [headers.authorization, headers['x-static']].map((value) => JSON.stringify(value))
    console.log(`${name.padEnd(6)} ${(at === 0 ? 'first' : 'second').padEnd(7)} token ${token}, static ${fixed}`)
  }
}
process.exit(0)
JS
npx --no-install node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
apq    first   token "Bearer 1", static "yes"
apq    second  token undefined, static "yes"
retry  first   token "Bearer 1", static "yes"
retry  second  token undefined, static "yes"
EXPECTED
