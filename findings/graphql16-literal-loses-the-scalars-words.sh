#!/usr/bin/env bash
# Software: graphql 16.15.0 and 17.1.0 (npm).
#
# A custom scalar of a subgraph refuses values with words of its own. A gateway does not have the scalar's code: to its
# schema any value is good, so validation lets it pass, and the subgraph executes the operation without validating it
# again. In graphql 16 the words then arrive if the value came in a variable, and are lost if it stands in the document:
# the error quotes the whole argument, and names neither the input field nor the reason. What is refused differs, too: the
# whole operation for a variable, and the field alone for a literal. Only checks in the resolver, after coercion, have a
# message and a place that do not depend on how a client wrote the value. In graphql 17 both ways name place and reason;
# the difference in what is refused remains.
#
# Source: https://github.com/graphql/graphql-js, src/execution/values.ts (`getArgumentValues` drops what `valueFromAST`
# found) in 16; src/utilities/validateInputValue.ts in 17.
#
# Seen on 2026-11-28:
#   16.15.0 literal: {"video":null} Argument "input" has invalid value {id: "a", status: {publishAt: "soon"}}.
#   16.15.0 variable: no data; Variable "$input" got invalid value "soon" at "input.status.publishAt"; …
#   17.1.0 literal: {"video":null} Argument "Query.video(input:)" has invalid value at .status.publishAt: …
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund g16@npm:graphql@16.15.0 g17@npm:graphql@17.1.0 >/dev/null
cat > try.mjs <<'JS'
const seen = {}
for (const name of ['g16', 'g17']) {
  const { buildSchema, execute, parse, version } = await import(name)
  const schema = buildSchema(`
    scalar Day
    input Status { publishAt: Day }
    input Video { id: ID!, status: Status }
    type Query { video(input: Video!): String }`)
  const day = schema.getType('Day')
  const read = (text) => {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return text
    throw new TypeError('A day is written as 2027-01-31')
  }
  // The names of 16, and those of 17.
  Object.assign(day, { parseValue: read, parseLiteral: (node) => read(node.value) })
  Object.assign(day, { coerceInputValue: read, coerceInputLiteral: (node) => read(node.value) })
  const told = async (way, text, variableValues) => {
    const { data, errors } = await execute({ schema, document: parse(text), variableValues })
    const [{ message }] = errors
    console.log(`${version} ${way}: ${data === undefined ? 'no data;' : JSON.stringify(data)} ${message}`)
    return { hasData: data !== undefined, isTold: message.includes('written as') && message.includes('publishAt') }
  }
  seen[name] = [
    await told('literal', '{ video(input: { id: "a", status: { publishAt: "soon" } }) }'),
    await told('variable', 'query ($input: Video!) { video(input: $input) }', {
      input: { id: 'a', status: { publishAt: 'soon' } },
    }),
  ]
}
const literal = (isTold) => ({ hasData: true, isTold })
const variable = { hasData: false, isTold: true }
const expected = { g16: [literal(false), variable], g17: [literal(true), variable] }
process.exit(JSON.stringify(seen) === JSON.stringify(expected) ? 0 : 1)
JS
node try.mjs
