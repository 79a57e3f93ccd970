#!/usr/bin/env bash
# Software: @graphql-hive/gateway-runtime 2.12.1 (npm) with its usual planner, beside its `router-runtime` 1.4.23.
#
# `label` requires `title`, which another subgraph owns and answers with null and an error. Hive Gateway by stitching sends
# that error as the value: the subgraph of `label`, which was promised `String`, receives an object with the message, path
# and extensions of the error, and makes a label of it. If the client did not ask for the title, the answer has this label
# and no error at all. Resolvers that test for null do not notice: an object is there. A subgraph that checks what it
# receives can only fail. `router-runtime` of the same gateway leaves the field out, and reports the error.
#
# Source: the representations that the second subgraph receives. Federation's documents: the router passes the value of the
# required field; a field that failed is null.
#
# Seen on 2026-11-30, `{ film { label } }`:
#   stitching  received {"message":"No title today.","path":["film","title"],"extensions":{"code":"LATER","serviceName":"films"}}
#   stitching  answered {"film":{"label":"The film is [object Object]"}}, errors: 0
#   router     received undefined
#   router     answered {"film":{"label":"The film is undefined"}}, errors: 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @graphql-hive/gateway-runtime@2.12.1 \
  @graphql-hive/router-runtime@1.4.23 @graphql-mesh/transport-http@1.2.1 @apollo/composition@2.14.4 \
  @apollo/subgraph@2.15.1 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { unifiedGraphHandler } from '@graphql-hive/router-runtime'
import httpTransport from '@graphql-mesh/transport-http'
import { execute, GraphQLError, parse } from 'graphql'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])\n'
let received
const films = {
  sdl: 'type Query { film: Film } type Film @key(fields: "id") { id: ID! title: String }',
  resolvers: {
    Query: { film: () => ({ id: '1' }) },
    Film: {
      title() {
        throw new GraphQLError('No title today.', { extensions: { code: 'LATER' } })
      },
    },
  },
}
const labels = {
  sdl: 'type Film @key(fields: "id") { id: ID! title: String @external label: String @requires(fields: "title") }',
  resolvers: {
    Film: {
      __resolveReference: (film) => film,
      label({ title }) {
        received = title
        return `The film is ${title}`
      },
    },
  },
}

const services = []
for (const [name, { sdl, resolvers }] of Object.entries({ films, labels })) {
  const typeDefs = parse(link + sdl)
  const schema = buildSubgraphSchema([{ typeDefs, resolvers }])
  const server = createServer(async (request, response) => {
    const { query, variables } = JSON.parse(await text(request))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(await execute({ schema, document: parse(query), variableValues: variables })))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  services.push({ name, url: `http://127.0.0.1:${server.address().port}/graphql`, typeDefs })
}
const { supergraphSdl: supergraph } = composeServices(services)
for (const [name, options] of [['stitching', {}], ['router', { unifiedGraphHandler }]]) {
  const transports = { http: httpTransport }
  const runtime = createGatewayRuntime({ supergraph, transports, logging: false, maskedErrors: false, ...options })
  const response = await runtime.fetch('http://127.0.0.1/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ film { label } }' }),
  })
  const { data, errors = [] } = await response.json()
  console.log(`${name.padEnd(10)} received ${JSON.stringify(received)}`)
  console.log(`${name.padEnd(10)} answered ${JSON.stringify(data)}, errors: ${errors.length}`)
}
process.exit()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
stitching  received {"message":"No title today.","path":["film","title"],"extensions":{"code":"LATER","serviceName":"films"}}
stitching  answered {"film":{"label":"The film is [object Object]"}}, errors: 0
router     received undefined
router     answered {"film":{"label":"The film is undefined"}}, errors: 1
EXPECTED
