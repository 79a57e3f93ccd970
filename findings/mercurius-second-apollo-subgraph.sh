#!/usr/bin/env bash
# Software: @mercuriusjs/gateway 5.2.0 and mercurius 16.10.1 over @apollo/subgraph 2.15.1, with graphql 16.14.2 (npm).
#
# Mercurius' gateway composes one Federation 2 subgraph of @apollo/subgraph, and refuses the second: a graph works in
# every trial with one service, and fails when the next one joins. For Federation 2, `_service.sdl` of @apollo/subgraph
# has the machinery of the subgraph as well: the fields `_entities` and `_service` of `Query`, and the definitions of
# all directives. Mercurius adds up the texts of its services as one schema in which each field may stand once.
# Without the part that @apollo/subgraph adds (from its first directive definition on) both are accepted. With SDL
# without `@link` (Federation 1) @apollo/subgraph sends no such part, and both are accepted, too.
#
# Source: `serviceSdl` in @apollo/subgraph/dist/buildSubgraphSchema.js, and `buildFederationSchema` in
# @mercuriusjs/federation/lib/federation.js, which validates the sum by graphql's rule of unique field definitions.
#
# Seen on 2026-11-28:
#   Federation 2  one service    composed
#   Federation 2  two services   Field "Query._entities" can only be defined once.
#   Federation 2  two, cut       composed
#   Federation 1  two services   composed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund @mercuriusjs/gateway@5.2.0 mercurius@16.10.1 fastify@5.12.8 \
  @apollo/subgraph@2.15.1 graphql@16.14.2 >/dev/null
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import mercuriusGateway from '@mercuriusjs/gateway'
import fastify from 'fastify'
import { graphql, parse } from 'graphql'

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\n`
const books = 'type Query { books: [Book] } type Book @key(fields: "id") { id: ID! title: String }'
const shops = 'type Query { shops: [Shop] } type Shop @key(fields: "id") { id: ID! name: String }'

async function serve(typeDefs, change) {
  const schema = buildSubgraphSchema([{ typeDefs: parse(typeDefs) }])
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { data } = await graphql({ schema, source: JSON.parse(body).query })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: { _service: { sdl: change(data._service.sdl) } } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function compose(texts, change = (sdl) => sdl) {
  const servers = await Promise.all(texts.map((text) => serve(text, change)))
  const services = servers.map((server, at) => ({
    name: `service${at}`,
    url: `http://127.0.0.1:${server.address().port}/graphql`,
  }))
  const app = fastify()
  try {
    app.register(mercuriusGateway, { gateway: { services } })
    await app.ready()
    return 'composed'
  } catch (error) {
    return (error.errors?.[0] ?? error).message
  } finally {
    await app.close().catch(() => {})
    for (const server of servers) server.close()
  }
}

const own = (sdl) => sdl.slice(0, sdl.indexOf('\ndirective @'))
const results = {
  'Federation 2  one service': await compose([link + books]),
  'Federation 2  two services': await compose([link + books, link + shops]),
  'Federation 2  two, cut': await compose([link + books, link + shops], own),
  'Federation 1  two services': await compose([books, shops]),
}
for (const [name, result] of Object.entries(results)) console.log(`${name.padEnd(28)} ${result}`)
const [one, two, cut, first] = Object.values(results)
const isAsSeen =
  one === 'composed' &&
  two.includes('"Query._entities" can only be defined once') &&
  cut === 'composed' &&
  first === 'composed'
process.exit(isAsSeen ? 0 : 1)
JS
node try.mjs
