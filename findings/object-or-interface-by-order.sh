#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# Subgraphs that share a field may give it different output types, if one of them is a subtype of the other: a type and
# an interface that it implements or a union that it belongs to, `T!` and `T`. The graph must then have what all of them
# keep. Hive's composer takes the type of the first subgraph, and replaces it only by one whose last `!` stands further
# to the left in the text. So the order of the subgraphs decides whether clients see the interface or the object, and
# with the object first the graph says that only `Book` can come, although the other subgraph answers with a `Film`.
# There is no error or warning; a renamed subgraph, in a list that is sorted, is enough. Apollo's composer takes the
# common supertype in any order and gives a hint.
#
# Source: `shouldChangeType` in esm/supergraph/composition/object-type.js (`lastIndexOf("!")`). The Composite Schemas
# specification calls the rule "least restrictive type" and wants it independent of the order:
# https://github.com/graphql/composite-schemas-spec/pull/223.
#
# Seen on 2026-11-28:
#   hive, object first         Book
#   hive, interface first      Media
#   hive, member first         Book
#   hive, union first          Any
#   apollo, object first       Media
#   apollo, interface first    Media
#   apollo, member first       Any
#   apollo, union first        Any
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const head = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@shareable"])
interface Media { id: ID }
type Book implements Media @shareable { id: ID }
`
const film = 'type Film implements Media { id: ID }\nunion Any = Book | Film\n'
const type = (compose, ...fields) => {
  const services = fields.map(([type, more = ''], at) => ({
    name: `s${at}`,
    url: `http://s${at}`,
    typeDefs: parse(`${head}${more}type Query { found: ${type} @shareable }`),
  }))
  const { errors, supergraphSdl } = compose(services)
  if (errors?.length > 0) return 'refused'
  return /\bfound: ([^\s@]+)/.exec(supergraphSdl)[1]
}
const book = ['Book']
for (const [name, compose] of [['hive', hive], ['apollo', apollo]]) {
  const say = (what, ...fields) => console.log(`${`${name}, ${what}`.padEnd(26)} ${type(compose, ...fields)}`)
  say('object first', book, ['Media', film])
  say('interface first', ['Media', film], book)
  say('member first', book, ['Any', film])
  say('union first', ['Any', film], book)
}
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive, object first         Book
hive, interface first      Media
hive, member first         Book
hive, union first          Any
apollo, object first       Media
apollo, interface first    Media
apollo, member first       Any
apollo, union first        Any
EXPECTED
