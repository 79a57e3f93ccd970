#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer) beside @apollo/composition 2.14.4 (npm).
#
# Hive's composer takes no value at all for a directive's argument of the type ID, neither "a" nor 1, and no null for an
# argument that may be null. It compares the name of the argument's type with that of the literal's, and no literal is
# named ID. Within an input object both are accepted. Apollo's composer accepts all of them. Such directives stay within
# their subgraph, so a subgraph that runs, and composes elsewhere, has to be rewritten. The employees subgraph of Cosmo's
# demonstration is one: `@expensiveOp(coefficient: null)` for `coefficient: Int = 2`.
#
# Source: cjs/subgraph/validation/rules/provided-arguments-on-directives-rule.js. GraphQL (September 2025), 3.5.5: ID takes
# strings and integers as input; 3.12: a nullable type takes null.
#
# Seen on 2026-11-30:
#   hive    ID "a"                   INVALID_GRAPHQL
#   hive    ID 1                     INVALID_GRAPHQL
#   hive    Int null                 INVALID_GRAPHQL
#   hive    [Int] [null, 1]          INVALID_GRAPHQL
#   hive    ID and null in an object composes
#   apollo  (all five)               composes
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const cases = [
  ['ID "a"', 'ID', '"a"'],
  ['ID 1', 'ID', '1'],
  ['Int null', 'Int', 'null'],
  ['[Int] [null, 1]', '[Int]', '[null, 1]'],
  ['ID and null in an object', 'Both', '{ id: "a", size: null }'],
]
for (const [name, compose] of [['hive', hive], ['apollo', apollo]]) {
  for (const [what, type, value] of cases) {
    const { errors } = compose([
      {
        name: 'one',
        url: 'http://one',
        typeDefs: parse(`
          extend schema @link(url: "https://specs.apollo.dev/federation/v2.9")
          directive @mark(by: ${type}) on FIELD_DEFINITION
          input Both { id: ID size: Int }
          type Query { field(both: Both): Int @mark(by: ${value}) }
        `),
      },
    ])
    const said = errors?.length > 0 ? errors.map(({ extensions }) => extensions.code).join(' ') : 'composes'
    console.log(`${name.padEnd(7)} ${what.padEnd(24)} ${said}`)
  }
}
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive    ID "a"                   INVALID_GRAPHQL
hive    ID 1                     INVALID_GRAPHQL
hive    Int null                 INVALID_GRAPHQL
hive    [Int] [null, 1]          INVALID_GRAPHQL
hive    ID and null in an object composes
apollo  ID "a"                   composes
apollo  ID 1                     composes
apollo  Int null                 composes
apollo  [Int] [null, 1]          composes
apollo  ID and null in an object composes
EXPECTED
