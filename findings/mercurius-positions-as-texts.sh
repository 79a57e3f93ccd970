#!/usr/bin/env bash
# Software: mercurius 16.10.1 with fastify 5.10.0 and graphql 16.15.0, from npm.
#
# Mercurius writes the positions of list items in the path of an error as strings: `["things", "1", "name"]`. The server
# serializes responses by a JSON schema in which each step of a path is a string, so that the number of graphql-js is
# converted. The specification says that positions are integers, and what reads paths tells names and positions apart by
# their type: a gateway that looks for the entity `_entities[1]` finds no position, and a client that marks the failed
# field in a list marks none. The same execution without the server, by `app.graphql`, has the number.
#
# Source: mercurius/lib/routes.js (`responseSchema`: `path: { type: 'array', items: { type: 'string' } }`);
# https://spec.graphql.org/October2021/#sec-Errors: path segments of list indices are 0-indexed integers.
#
# Seen on 2026-11-29:
#   over HTTP:  ["things","1","name"]
#   in process: ["things",1,"name"]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund mercurius@16.10.1 fastify@5.10.0 graphql@16.15.0 >/dev/null
cat > ask.js <<'JS'
import Fastify from 'fastify'
import mercurius from 'mercurius'

const app = Fastify()
app.register(mercurius, {
  schema: 'type Query { things: [Thing] } type Thing { name: String }',
  resolvers: {
    Query: { things: () => [{ name: 'lamp' }, {}] },
    Thing: {
      name({ name }) {
        if (name === undefined) throw new Error('It has none.')
        return name
      },
    },
  },
})
const query = '{ things { name } }'
const response = await app.inject({ method: 'POST', url: '/graphql', payload: { query } })
const overHttp = JSON.stringify(response.json().errors[0].path)
const inProcess = JSON.stringify((await app.graphql(query)).errors[0].path)
console.log(`over HTTP:  ${overHttp}\nin process: ${inProcess}`)
await app.close()
process.exit(overHttp === '["things","1","name"]' && inProcess === '["things",1,"name"]' ? 0 : 1)
JS
node ask.js
