#!/usr/bin/env bash
# Software: @graphql-hive/gateway-runtime 2.12.1 with @graphql-mesh/transport-ws 2.1.0 (npm), on Node 22.19 or newer.
#
# A subgraph that refuses a subscription over `graphql-transport-ws` before it executes it, for example because the
# caller may not subscribe, sends an `error` message with a list of GraphQL errors, which have no path. Hive Gateway answers
# its client with an error without a message, which GraphQL requires of every error, and without the code of the subgraph:
# the client learns that something failed, and nothing else. If the same subgraph refuses by server-sent events, message
# and code arrive. Errors with a path arrive in both ways.
#
# Source: `iterate` of the client of graphql-ws throws the list itself, as its documentation says it may.
# buildGraphQLWSExecutor in @graphql-tools/executor-graphql-ws 3.2.0 passes it on, and from there a list is taken for an
# error.
#
# Seen on 2026-11-29, a subscription that the subgraph refuses with the code FORBIDDEN:
#   server-sent events  message "Not for you", code "FORBIDDEN"
#   WebSocket           message undefined, code undefined
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . node@24.21.0 @graphql-hive/gateway-runtime@2.12.1 \
  @graphql-mesh/transport-http@1.2.1 @graphql-mesh/transport-ws@2.1.0 @theguild/federation-composition@0.27.0 \
  graphql@16.15.0 graphql-ws@6.4.2 ws@8.23.0 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import http from '@graphql-mesh/transport-http'
import ws from '@graphql-mesh/transport-ws'
import { composeServices } from '@theguild/federation-composition'
import { buildSchema, GraphQLError, parse } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'

const sdl = 'type Query { open: Int } type Subscription { secret: Int }'
const schema = buildSchema(sdl)
const errors = [new GraphQLError('Not for you', { extensions: { code: 'FORBIDDEN' } })]
const listening = async (server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server.address().port
}
const subgraph = createServer((_, response) => {
  response.setHeader('content-type', 'text/event-stream')
  response.end(`event: next\ndata: ${JSON.stringify({ errors })}\n\nevent: complete\ndata:\n\n`)
})
useServer({ schema, onSubscribe: () => errors }, new WebSocketServer({ server: subgraph, path: '/graphql' }))
const url = `http://127.0.0.1:${await listening(subgraph)}/graphql`
const { supergraphSdl } = composeServices([{ name: 'own', url, typeDefs: parse(sdl) }])

const ways = [
  ['server-sent events', {}],
  ['WebSocket', { subscriptions: { kind: 'ws', location: '/graphql' } }],
]
for (const [way, options] of ways) {
  const runtime = createGatewayRuntime({
    supergraph: supergraphSdl,
    transports: { http, ws },
    transportEntries: { '*': { options } },
    ...{ logging: false, maskedErrors: false },
  })
  const response = await fetch(`http://127.0.0.1:${await listening(createServer(runtime))}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: '{"query":"subscription { secret }"}',
  })
  const [, event] = /^data: (\{.*)$/m.exec(await response.text())
  const [{ message, extensions = {} }] = JSON.parse(event).errors
  const shown = [message, extensions.code].map((value) => JSON.stringify(value))
  console.log(`${way.padEnd(19)} message ${shown[0]}, code ${shown[1]}`)
}
process.exit(0)
JS
npx --no-install node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
server-sent events  message "Not for you", code "FORBIDDEN"
WebSocket           message undefined, code undefined
EXPECTED
