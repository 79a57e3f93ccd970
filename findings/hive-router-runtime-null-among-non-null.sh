#!/usr/bin/env bash
# Software: @graphql-hive/gateway-runtime 2.12.1 with @graphql-hive/router-runtime 1.4.23 (npm), beside the same gateway's
# usual planner (stitching).
#
# The schema says `films: [Film!]`. A second subgraph fails at the required field of one film, so that this film is null,
# and then the list. `router-runtime` answers the list with a null in it. Clients whose types were generated from the schema
# read a field of that null. The error is there, at its full path, so the gateway knows of it; it ends the film and not what
# the film belongs to. The same gateway by stitching answers `films: null`. An item that its own subgraph answers null ends
# the list in both, because the subgraph does it.
#
# Source: the answers of both. GraphQL, section 6.4.4: a null in a list of non-null items makes the list null.
#
# Seen on 2026-11-30, `{ films { stars } }`:
#   router     {"films":[{"stars":5},null]}, errors at films.1.stars
#   stitching  {"films":null}, errors at films.1.stars
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
import { execute, parse } from 'graphql'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\n'
const films = {
  sdl: 'type Query { films: [Film!] } type Film @key(fields: "id") { id: ID! }',
  resolvers: { Query: { films: () => [{ id: '1' }, { id: '2' }] } },
}
const reviews = {
  sdl: 'type Film @key(fields: "id") { id: ID! stars: Int! }',
  resolvers: { Film: { __resolveReference: (film) => film, stars: ({ id }) => (id === '1' ? 5 : null) } },
}

const services = []
for (const [name, { sdl, resolvers }] of Object.entries({ films, reviews })) {
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
for (const [name, options] of [['router', { unifiedGraphHandler }], ['stitching', {}]]) {
  const transports = { http: httpTransport }
  const runtime = createGatewayRuntime({ supergraph, transports, logging: false, maskedErrors: false, ...options })
  const response = await runtime.fetch('http://127.0.0.1/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ films { stars } }' }),
  })
  const { data, errors = [] } = await response.json()
  const places = errors.map(({ path }) => path.join('.')).join(', ')
  console.log(`${name.padEnd(10)} ${JSON.stringify(data)}, errors at ${places}`)
}
process.exit()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
router     {"films":[{"stars":5},null]}, errors at films.1.stars
stitching  {"films":null}, errors at films.1.stars
EXPECTED
