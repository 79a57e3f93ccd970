#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# Two composers make two graphs of the same two subgraphs when one of them has a default value and the other has none. Of
# an argument Apollo's drops the default and gives a hint (INCONSISTENT_DEFAULT_VALUE_PRESENCE); Hive's keeps it, so that
# introspection promises clients a default that one of the subgraphs has never heard of. Of a field of an input object both
# drop it: Apollo's with the hint, Hive's without a word, so that a client who leaves the field out gets null where the
# subgraph alone would have taken 20. Moving a registry from one composer to the other changes answers of queries that
# nobody changed.
#
# Source: what `composeServices` of each returns. Federation's documents name the mismatch of two defaults as an error
# (both composers agree on that), and the hint.
#
# Seen on 2026-11-27, `size: Int = 20` in one subgraph and `size: Int` in the other:
#   hive, argument             size: Int = 20
#   hive, input field          size: Int
#   hive, both differ          INPUT_FIELD_DEFAULT_MISMATCH
#   apollo, argument           size: Int, INCONSISTENT_DEFAULT_VALUE_PRESENCE
#   apollo, input field        size: Int, INCONSISTENT_DEFAULT_VALUE_PRESENCE
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
  const { errors, supergraphSdl, hints } = compose(given)
  if (errors?.length > 0) return errors.map(({ extensions }) => extensions.code).join(' ')
  const [found] = /\bsize: Int[^@)\n]*/.exec(supergraphSdl)
  return [found.trim(), ...(hints ?? []).map(({ definition }) => definition.code)].join(', ')
}
for (const [name, compose] of [['hive', hive], ['apollo', apollo]]) {
  say(`${name}, argument`, composed(compose, services(argument(' = 20'), argument(''))))
  say(`${name}, input field`, composed(compose, services(field(' = 20'), field(''))))
  say(`${name}, both differ`, composed(compose, services(field(' = 20'), field(' = 30'))))
}
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive, argument             size: Int = 20
hive, input field          size: Int
hive, both differ          INPUT_FIELD_DEFAULT_MISMATCH
apollo, argument           size: Int, INCONSISTENT_DEFAULT_VALUE_PRESENCE
apollo, input field        size: Int, INCONSISTENT_DEFAULT_VALUE_PRESENCE
apollo, both differ        INPUT_FIELD_DEFAULT_MISMATCH
EXPECTED
