#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# A subgraph may add fields to all types of an interface by `@interfaceObject`. For Apollo's composer it must then not
# define one of these types itself, also not to add a field to that type alone (INTERFACE_OBJECT_USAGE_ERROR). For Hive's
# it may, and no hint says so. Subgraphs that grew under one of them do not move to the registry of the other.
#
# Source: what `composeServices` of each returns. Federation's document of `@interfaceObject` says that such a subgraph
# must not define implementations of the interface.
#
# Seen on 2026-11-30:
#   hive: composes
#   hive, without the object type: composes
#   apollo: INTERFACE_OBJECT_USAGE_ERROR
#   apollo, without the object type: composes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@interfaceObject"])\n'
const services = (...sdls) =>
  sdls.map((sdl, at) => ({ name: `s${at}`, url: `http://s${at}`, typeDefs: parse(link + sdl) }))
const owner = `type Query { media: Media } interface Media @key(fields: "id") { id: ID! }
  type Book implements Media @key(fields: "id") { id: ID! title: String }`
const stars = 'type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }'
const pages = 'type Book @key(fields: "id") { id: ID! pages: Int }'
for (const [name, compose] of [['hive', hive], ['apollo', apollo]])
  for (const [what, sdl] of [['', `${stars} ${pages}`], [', without the object type', stars]]) {
    const { errors } = compose(services(owner, sdl))
    console.log(`${name}${what}: ${errors?.map(({ extensions }) => extensions.code).join(' ') ?? 'composes'}`)
  }
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive: composes
hive, without the object type: composes
apollo: INTERFACE_OBJECT_USAGE_ERROR
apollo, without the object type: composes
EXPECTED
