#!/usr/bin/env bash
# Software: ariadne 1.1.1 (Python), as a subgraph of @apollo/gateway 2.14.4.
#
# A field that is non-null fails, so that all data of the operation are null. That is a whole GraphQL response: the request
# was well-formed, the operation valid, and it was executed. As `application/json` such a response has status 200 (GraphQL over
# HTTP, section 6.4.1), and Strawberry answers so. Ariadne takes null data for a request that failed, and
# answers 400 with the same body. @apollo/gateway reads no GraphQL errors from a status of 400: its client gets
# "400: Bad Request" with INTERNAL_SERVER_ERROR and no path, instead of the error and its path. With a proxy in between that
# writes 200 instead of 400 and changes nothing else, the client gets both. If the field may be null, Ariadne answers 200.
#
# Source: ariadne/graphql.py, `handle_query_result`: `return result.data is not None, response`, whose first value decides
# between 200 and 400 in ariadne/asgi/handlers/http.py; @apollo/gateway, RemoteGraphQLDataSource.js, `errorFromResponse`.
#
# Seen on 2026-11-30:
#   ariadne: nullable 200, non-null 400
#   through @apollo/gateway: 400: Bad Request undefined
#   through a proxy that writes 200: The stock is being counted. stock
set -euo pipefail
folder=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv here
here/bin/pip install --quiet --disable-pip-version-check ariadne==1.1.1 uvicorn==0.54.0
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @apollo/gateway@2.14.4 graphql@16.15.0
cat > service.py <<'PY'
import socket

import uvicorn
from ariadne import QueryType
from ariadne.asgi import GraphQL
from ariadne.contrib.federation import FederatedObjectType, make_federated_schema

types = """
extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])
type Query { stock: Int! sold: Int }
type Shop @key(fields: "id") { id: ID! }
"""
query = QueryType()


@query.field("stock")
@query.field("sold")
def counting(*_):
    raise Exception("The stock is being counted.")


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
app = GraphQL(make_federated_schema(types, query, FederatedObjectType("Shop")))
uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])
PY
here/bin/python service.py > port 2>log &
service=$!
cat > ask.mjs <<'JS'
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { ApolloGateway, IntrospectAndCompose } from '@apollo/gateway'
import { parse } from 'graphql'

const direct = `http://127.0.0.1:${readFileSync('port', 'utf8').trim()}/`
const post = (body, url = direct) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body })
const statusOf = async (query) => (await post(JSON.stringify({ query }))).status

const proxy = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const text = await (await post(body)).text()
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
})
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))

async function errorThrough(url) {
  const supergraphSdl = new IntrospectAndCompose({ subgraphs: [{ name: 'shop', url }] })
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const gateway = new ApolloGateway({ supergraphSdl, logger: quiet })
  const { executor } = await gateway.load()
  const query = '{ stock }'
  const { errors } = await executor({
    document: parse(query),
    request: { query },
    queryHash: 'stock',
    operationName: null,
    context: {},
    cache: undefined,
    schema: gateway.schema,
  })
  await gateway.stop()
  return `${errors[0].message} ${errors[0].path}`
}

console.log(`ariadne: nullable ${await statusOf('{ sold }')}, non-null ${await statusOf('{ stock }')}`)
console.log(`through @apollo/gateway: ${await errorThrough(direct)}`)
console.log(`through a proxy that writes 200: ${await errorThrough(`http://127.0.0.1:${proxy.address().port}/`)}`)
proxy.close()
process.exit()
JS
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
sleep 1
seen=$(node ask.mjs)
echo "$seen"
[ "$seen" = "ariadne: nullable 200, non-null 400
through @apollo/gateway: 400: Bad Request undefined
through a proxy that writes 200: The stock is being counted. stock" ]
