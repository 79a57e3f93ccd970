#!/usr/bin/env bash
# Software: @graphql-hive/gateway-runtime 2.12.1 with @graphql-mesh/transport-http 1.2.1 (npm), over a service by graphql-js
# 16.15.0.
#
# Two non-null root fields of one service are asked for, and the second one fails. The service gets one request in which both
# have aliases (`_v0_name: name _v1_stock: stock`), and answers that `_v1_stock` failed and that there are no data. The client
# of the gateway is told that the first field failed, by "Unexpected error." with INTERNAL_SERVER_ERROR; the error of the
# service, its path and its code are lost. Written in the other order (`{ stock name }`), or with a first field that may be
# null, the same operation gets the error of the service and its path. Both orders are one operation to the specification:
# the response has to name the field whose error was raised.
#
# Source: @graphql-tools/batch-execute 10.2.0 merges the fields and divides the response: a part without an error of its own
# gets null data, and the field that has none is reported first. Compared with the response of the service itself.
#
# Seen on 2026-11-30:
#   the service: { name stock } -> stock: The stock is being counted.
#   { name stock } -> name: Unexpected error.
#   { stock name } -> stock: The stock is being counted.
#   { title stock } -> stock: The stock is being counted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'JSON'
{
  "private": true,
  "type": "module",
  "dependencies": {
    "@graphql-hive/gateway-runtime": "2.12.1",
    "@graphql-mesh/transport-http": "1.2.1",
    "graphql": "16.15.0"
  },
  "overrides": { "@graphql-tools/batch-execute": "10.2.0" }
}
JSON
npm install --silent --no-audit --no-fund
cat > ask.js <<'JS'
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { buildSchema, graphql } from 'graphql'

const fields = 'name: String! title: String stock: Int!'
const schema = buildSchema(`type Query { ${fields} }`)
const rootValue = {
  name: 'lamp',
  title: 'A lamp',
  stock() {
    throw new Error('The stock is being counted.')
  },
}
const service = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const result = await graphql({ schema, source: JSON.parse(body).query, rootValue })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
})
await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve))

const supergraph = `
schema
  @link(url: "https://specs.apollo.dev/link/v1.0")
  @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__type(graph: join__Graph!) repeatable on OBJECT
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
enum join__Graph { SHOP @join__graph(name: "shop", url: "http://127.0.0.1:${service.address().port}/") }
type Query @join__type(graph: SHOP) { ${fields} }`
const gateway = createGatewayRuntime({ supergraph, logging: false })

const told = ({ errors }) => errors.map(({ path, message }) => `${path}: ${message}`).join('; ')
async function ask(query) {
  const response = await gateway.fetch('http://gateway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return told(await response.json())
}

console.log(`the service: { name stock } -> ${told(await graphql({ schema, source: '{ name stock }', rootValue }))}`)
for (const query of ['{ name stock }', '{ stock name }', '{ title stock }'])
  console.log(`${query} -> ${await ask(query)}`)
process.exit()
JS
seen=$(node ask.js)
echo "$seen"
[ "$seen" = "the service: { name stock } -> stock: The stock is being counted.
{ name stock } -> name: Unexpected error.
{ stock name } -> stock: The stock is being counted.
{ title stock } -> stock: The stock is being counted." ]
