#!/usr/bin/env bash
# Software: @graphql-hive/gateway-runtime 2.12.1 with @graphql-hive/router-runtime 1.4.23 (npm), beside the same gateway's
# usual planner (stitching).
#
# An operation may select a field at several places, as an app does whose components have a fragment each. The selections are
# merged, and the field is answered once. If the field is a list, `router-runtime` answers its items once for each place: a
# film with one actor gets two, each with the fields of one place, without an error. The subgraph is asked once for all the
# fields, and answers one actor. Selections of an object are merged as they should be, and so are lists in two inline
# fragments, unless the field stands beside them as well. The same gateway by stitching answers one actor.
#
# Source: `router-runtime`, the projection of an object: `mergeDeep([result[responseKey], projectedValue])`, which appends
# the second list to the first one. Other calls there pass `respectArrayLength`, which merges them item by item.
# GraphQL, section 5.3.2: fields of one response key are merged.
#
# Seen on 2026-11-30:
#   router     { film { actors { name } actors { role } } }              [{"name":"Ann"},{"role":"guest"}]
#   router     { film { ...A ...B } }, an object in each                 {"name":"Eve","born":1970}
#   router     { film { ...A actors { role } } }                         [{"name":"Ann"},{"role":"guest"}]
#   stitching  the same three                                            one actor with both fields
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

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { film: Film }
  type Film { actors: [Actor!] director: Person }
  type Actor { name: String role: String }
  type Person { name: String born: Int }
`)
const film = { actors: [{ name: 'Ann', role: 'guest' }], director: { name: 'Eve', born: 1970 } }
const schema = buildSubgraphSchema([{ typeDefs, resolvers: { Query: { film: () => film } } }])
const server = createServer(async (request, response) => {
  const { query, variables } = JSON.parse(await text(request))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(await execute({ schema, document: parse(query), variableValues: variables })))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/graphql`
const { supergraphSdl: supergraph } = composeServices([{ name: 'films', url, typeDefs }])
const queries = {
  'two fields': '{ film { actors { name } actors { role } } }',
  'two fragments, an object':
    '{ film { ...A ...B } } fragment A on Film { director { name } } fragment B on Film { director { born } }',
  'a fragment and a field': '{ film { ...A actors { role } } } fragment A on Film { actors { name } }',
}
for (const [name, options] of [['router', { unifiedGraphHandler }], ['stitching', {}]]) {
  const transports = { http: httpTransport }
  const runtime = createGatewayRuntime({ supergraph, transports, logging: false, maskedErrors: false, ...options })
  for (const [what, query] of Object.entries(queries)) {
    const response = await runtime.fetch('http://127.0.0.1/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data, errors = [] } = await response.json()
    console.log(name.padEnd(10), what.padEnd(25), JSON.stringify(data.film), `errors: ${errors.length}`)
  }
}
process.exit()
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
router     two fields                {"actors":[{"name":"Ann"},{"role":"guest"}]} errors: 0
router     two fragments, an object  {"director":{"name":"Eve","born":1970}} errors: 0
router     a fragment and a field    {"actors":[{"name":"Ann"},{"role":"guest"}]} errors: 0
stitching  two fields                {"actors":[{"name":"Ann","role":"guest"}]} errors: 0
stitching  two fragments, an object  {"director":{"name":"Eve","born":1970}} errors: 0
stitching  a fragment and a field    {"actors":[{"name":"Ann","role":"guest"}]} errors: 0
EXPECTED
