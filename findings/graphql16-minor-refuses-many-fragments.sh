#!/usr/bin/env bash
# Software: graphql 16.14.2, 16.15.0 and 17.1.0 (npm).
#
# Apps whose components each bring a fragment select the same fields of one object (`viewer`, a page, a product) hundreds
# of times, and a compiler puts the fragments into one document. Since 16.15 and 17.1 `validate` counts the comparisons of
# the rule that overlapping fields can be merged, and gives up after 500,000 of them: a document that was valid before a
# minor update is refused, from about 400 fragments with two fields each (16 KB). The only error is "Validation aborted.",
# without a place, an extension or a word of the bound, and it looks like a fault of the query. No option of `validate`
# raises the bound (`maxErrors` is about something else). Servers, linters, code generators and editors all call it, so
# an app may pass in one of them and fail in the next, depending on which version each has installed.
#
# Source: `MAX_COMPLEXITY_BUDGET` in validation/rules/OverlappingFieldsCanBeMergedRule.js, and
# validation/validationAbortedError.js. A server that wants a sentence has to recognize the error by its text.
#
# Seen on 2026-11-28 (fragments, and the errors):
#   16.14.2    300  valid
#   16.14.2    400  valid
#   16.15.0    300  valid
#   16.15.0    400  "Validation aborted.", places: none, extensions: {}
#   17.1.0     300  valid
#   17.1.0     400  "Validation aborted.", places: none, extensions: {}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > try.mjs <<'JS'
import { createRequire } from 'node:module'

const version = process.argv[2]
const { buildSchema, parse, validate } = createRequire(`${process.cwd()}/${version}/`)('graphql')
const schema = buildSchema('type Query { viewer: User } type User { id: ID! name: String }')
for (const count of [300, 400]) {
  const names = Array.from({ length: count }, (_, at) => `Part${at}`)
  const spreads = names.map((name) => `...${name}`).join(' ')
  const fragments = names.map((name) => `fragment ${name} on User { id name }`).join('\n')
  const errors = validate(schema, parse(`{ viewer { ${spreads} } }\n${fragments}`)).map(
    ({ message, locations, extensions }) =>
      `${JSON.stringify(message)}, places: ${locations?.length ?? 'none'}, extensions: ${JSON.stringify(extensions)}`,
  )
  console.log(`${version.padEnd(8)} ${String(count).padStart(5)}  ${errors.join() || 'valid'}`)
}
JS
for version in 16.14.2 16.15.0 17.1.0; do
  npm install --silent --no-audit --no-fund --no-save --prefix "$version" "graphql@$version" >/dev/null
  node try.mjs "$version"
done | tee seen.txt
diff seen.txt - <<'EXPECTED'
16.14.2    300  valid
16.14.2    400  valid
16.15.0    300  valid
16.15.0    400  "Validation aborted.", places: none, extensions: {}
17.1.0     300  valid
17.1.0     400  "Validation aborted.", places: none, extensions: {}
EXPECTED
