#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) and @wundergraph/composition 0.55.0 (Cosmo's) beside
# @apollo/composition 2.14.4 (npm).
#
# A subgraph that returns a field of another subgraph's type together with its own (`@provides`) resolves that field, so
# Federation asks the owner to mark it `@shareable`. Apollo's composer refuses the subgraphs without that mark
# (INVALID_FIELD_SHARING). Hive's and Cosmo's compose them without an error, a hint or a warning. Whoever extends somebody
# else's subgraph under one of these learns of the missing mark only when the same subgraphs move to Apollo's registry, and
# then the owner has to change the subgraph. The same field without `@provides` needs no mark in any of the three.
#
# They also disagree about a subgraph that adds fields to an interface by `@interfaceObject` and defines an object type of
# that interface as well: Hive's composer alone composes it.
#
# Source: what the composers return. Federation's document of `@provides` says that the field must be `@shareable` or
# `@external` in the other subgraphs; that of `@interfaceObject` says that such a subgraph must not define implementations.
#
# Seen on 2026-11-30, `title` of `Video` belongs to one subgraph, and the other one provides it; `Media` is an interface of
# one subgraph and an interface object of the other one, which also defines its object `Book`:
#   apollo, provided             INVALID_FIELD_SHARING
#   apollo, provided, shareable  composed
#   apollo, required             composed
#   apollo, and its object       INTERFACE_OBJECT_USAGE_ERROR
#   apollo, interface object     composed
#   hive, provided               composed
#   hive, provided, shareable    composed
#   hive, required               composed
#   hive, and its object         composed
#   hive, interface object       composed
#   cosmo, provided              composed
#   cosmo, provided, shareable   composed
#   cosmo, required              composed
#   cosmo, and its object        refused
#   cosmo, interface object      composed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 @wundergraph/composition@0.55.0 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { federateSubgraphs } from '@wundergraph/composition'
import { parse } from 'graphql'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@provides", "@requires", "@shareable", "@interfaceObject"])\n'
const owner = (mark) => `type Query { video: Video } type Video @key(fields: "id") { id: ID! title: String ${mark} }`
const provides = `type Query { shelf: Shelf @provides(fields: "tape { title }") } type Shelf { tape: Video }
  type Video @key(fields: "id") { id: ID! title: String @external }`
const requires = `type Query { shelf: Shelf } type Shelf { tape: Video }
  type Video @key(fields: "id") { id: ID! title: String @external label: String @requires(fields: "title") }`
const implementation = (more) => [
  `type Query { media: Media } interface Media @key(fields: "id") { id: ID! }
  type Book implements Media @key(fields: "id") { id: ID! title: String }`,
  `type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int } ${more}`,
]
const cases = {
  provided: [owner(''), provides],
  'provided, shareable': [owner('@shareable'), provides],
  required: [owner(''), requires],
  'and its object': implementation('type Book @key(fields: "id") { id: ID! pages: Int }'),
  'interface object': implementation(''),
}
const subgraphs = (texts) => texts.map((sdl, at) => ({ name: `s${at}`, url: `http://s${at}`, typeDefs: parse(link + sdl) }))
const codes = ({ errors }) => errors?.map(({ extensions }) => extensions.code).join(' ') || 'composed'
const composers = {
  apollo: (given) => codes(apollo(given)),
  hive: (given) => codes(hive(given)),
  cosmo(given) {
    const named = given.map(({ typeDefs, ...rest }) => ({ ...rest, definitions: typeDefs }))
    const { success, warnings } = federateSubgraphs({ subgraphs: named, version: '1' })
    return success ? (warnings.length === 0 ? 'composed' : 'composed with a warning') : 'refused'
  },
}
for (const [name, compose] of Object.entries(composers))
  for (const [what, texts] of Object.entries(cases))
    console.log(`${`${name}, ${what}`.padEnd(28)} ${compose(subgraphs(texts))}`)
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
apollo, provided             INVALID_FIELD_SHARING
apollo, provided, shareable  composed
apollo, required             composed
apollo, and its object       INTERFACE_OBJECT_USAGE_ERROR
apollo, interface object     composed
hive, provided               composed
hive, provided, shareable    composed
hive, required               composed
hive, and its object         composed
hive, interface object       composed
cosmo, provided              composed
cosmo, provided, shareable   composed
cosmo, required              composed
cosmo, and its object        refused
cosmo, interface object      composed
EXPECTED
