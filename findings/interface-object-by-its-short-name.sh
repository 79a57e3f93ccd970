#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# A subgraph may name a directive of federation in three ways: imported (`@key`), imported under another name (`as:`), or by
# its whole name (`@federation__key`), which needs no import. Hive's composer reads all directives in each of these ways,
# except `@interfaceObject` and the `@key` beside it, which it looks for by these very words. So the subgraph is refused,
# and the message is wrong: `type "Media" has no @key in this subgraph`, or `Type "Media" has mismatched kind`.
# Apollo's composer makes the same supergraph of all of them.
#
# Source: `d.name.value === "key"` in esm/subgraph/validation/rules/elements/interface-object.js, and `d.name.value ===
# "interfaceObject"` in esm/subgraph/state.js. The link specification, https://specs.apollo.dev/link/v1.0.
#
# Seen on 2026-11-30:
#   apollo  imported                            composed
#   apollo  key by its whole name               composed
#   apollo  key under another name              composed
#   apollo  interface object by its whole name  composed
#   hive    imported                            composed
#   hive    key by its whole name               no @key
#   hive    key under another name              no @key
#   hive    interface object by its whole name  mismatched kind
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const link = (imports) => `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [${imports}])\n`
const catalogue = `${link('"@key"')}
  type Query { media: [Media] }
  interface Media @key(fields: "id") { id: ID! }
  type Film implements Media @key(fields: "id") { id: ID! }`
const ways = [
  ['imported', '"@key", "@interfaceObject"', '@key', '@interfaceObject'],
  ['key by its whole name', '"@interfaceObject"', '@federation__key', '@interfaceObject'],
  ['key under another name', '{ name: "@key", as: "@found" }, "@interfaceObject"', '@found', '@interfaceObject'],
  ['interface object by its whole name', '"@key"', '@key', '@federation__interfaceObject'],
]
for (const [name, compose] of [['apollo', apollo], ['hive', hive]])
  for (const [way, imports, key, interfaceObject] of ways) {
    const labels = `${link(imports)}type Media ${key}(fields: "id") ${interfaceObject} { id: ID! label: String }`
    const services = Object.entries({ catalogue, labels })
    const { errors = [] } = compose(services.map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) })))
    const [said] = /no @key|mismatched kind/.exec(errors[0]?.message) ?? ['composed']
    console.log(`${name.padEnd(7)} ${way.padEnd(35)} ${said}`)
  }
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
apollo  imported                            composed
apollo  key by its whole name               composed
apollo  key under another name              composed
apollo  interface object by its whole name  composed
hive    imported                            composed
hive    key by its whole name               no @key
hive    key under another name              no @key
hive    interface object by its whole name  mismatched kind
EXPECTED
