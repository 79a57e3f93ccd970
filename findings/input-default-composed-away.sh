#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# A default value that one subgraph has and another one lacks is composed away without an error or a hint, though two
# different defaults are an error. Of a field of an input object both composers drop it, so that a client who leaves the
# field out gets null where the subgraph alone would have taken 20. Of an argument they disagree: Apollo's drops the
# default, Hive's keeps it, so that the same two subgraphs make two graphs. With Hive's, introspection promises a default to
# clients that one of the two subgraphs has never heard of; whichever of them a router happens to ask decides the answer
# unless the router fills the default in. Moving a registry from one composer to the other changes answers, and no schema
# check of either says so.
#
# Source: the supergraph that `composeServices` of each returns; Federation's documents name the mismatch of two defaults
# (INPUT_FIELD_DEFAULT_MISMATCH, FIELD_ARGUMENT_DEFAULT_MISMATCH), and say nothing of a default beside none.
#
# Seen on 2026-11-27, `size: Int = 20` in one subgraph and `size: Int` in the other:
#   hive, input field          size: Int
#   hive, argument             size: Int = 20
#   hive, both differ          INPUT_FIELD_DEFAULT_MISMATCH
#   apollo, input field        size: Int
#   apollo, argument           size: Int
#   apollo, both differ        INPUT_FIELD_DEFAULT_MISMATCH
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@shareable"])\n'
const say = (what, result) => console.log(`${what.padEnd(26)} ${result}`)
const services = (one, other) =>
  [one, other].map((sdl, at) => ({ name: `s${at}`, url: `http://s${at}`, typeDefs: parse(link + sdl) }))
const field = (value) => `input Page { size: Int${value} } type Query { items(page: Page!): Int @shareable }`
const argument = (value) => `type Query { items(size: Int${value}): Int @shareable }`
const composed = (compose, given) => {
  const { errors = [], supergraphSdl = '' } = compose(given)
  if (errors?.length > 0) return errors.map(({ extensions }) => extensions.code).join(' ')
  return /\bsize: Int[^@)\n]*/.exec(supergraphSdl)[0].trim()
}
for (const [name, compose] of [['hive', hive], ['apollo', apollo]]) {
  say(`${name}, input field`, composed(compose, services(field(' = 20'), field(''))))
  say(`${name}, argument`, composed(compose, services(argument(' = 20'), argument(''))))
  say(`${name}, both differ`, composed(compose, services(field(' = 20'), field(' = 30'))))
}
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive, input field          size: Int
hive, argument             size: Int = 20
hive, both differ          INPUT_FIELD_DEFAULT_MISMATCH
apollo, input field        size: Int
apollo, argument           size: Int
apollo, both differ        INPUT_FIELD_DEFAULT_MISMATCH
EXPECTED
