#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# Two composers disagree about subgraphs that routers serve all the same. A subgraph that gives a field of another one by
# `@provides` resolves it there, so Apollo's composer demands that the owner marks it @shareable; Hive's does not. And a
# subgraph that adds fields to an interface by `@interfaceObject` must not define an object type of that interface for
# Apollo's composer; for Hive's it may. A graph that grew in a registry of one kind does not move to the other one, and the
# error names a subgraph that nobody has changed.
#
# Source: what `composeServices` of each returns. Federation's documents on `@provides` show the field with @shareable in
# its own subgraph; those on `@interfaceObject` say that such a subgraph must not define implementations.
#
# Seen on 2026-11-30:
#   hive, provided field: composes
#   hive, beside an implementation: composes
#   apollo, provided field: INVALID_FIELD_SHARING
#   apollo, beside an implementation: INTERFACE_OBJECT_USAGE_ERROR
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const names = ['@key', '@external', '@provides', '@interfaceObject']
const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ${JSON.stringify(names)})\n`
const services = (...sdls) =>
  sdls.map((sdl, at) => ({ name: `s${at}`, url: `http://s${at}`, typeDefs: parse(link + sdl) }))
const provided = services(
  'type Query { first: Item @provides(fields: "name") } type Item @key(fields: "id") { id: ID! name: String @external }',
  'type Item @key(fields: "id") { id: ID! name: String }',
)
const beside = services(
  `type Query { media: Media } interface Media @key(fields: "id") { id: ID! }
   type Book implements Media @key(fields: "id") { id: ID! title: String }`,
  'type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int } type Book @key(fields: "id") { id: ID! pages: Int }',
)
for (const [name, compose] of [['hive', hive], ['apollo', apollo]])
  for (const [what, given] of [['provided field', provided], ['beside an implementation', beside]]) {
    const { errors } = compose(given)
    const said = errors?.map(({ extensions }) => extensions.code).join(' ') ?? 'composes'
    console.log(`${name}, ${what}: ${said}`)
  }
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive, provided field: composes
hive, beside an implementation: composes
apollo, provided field: INVALID_FIELD_SHARING
apollo, beside an implementation: INTERFACE_OBJECT_USAGE_ERROR
EXPECTED
