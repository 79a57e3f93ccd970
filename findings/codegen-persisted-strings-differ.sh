#!/usr/bin/env bash
# Software: @graphql-codegen/client-preset 6.2.0 and cli 7.4.3, with @graphql-tools/documents 1.0.2 and graphql 16.15.0
# (npm).
#
# The client preset of GraphQL Code Generator writes each operation twice: as the typed document that an app sends, and in
# `persisted-documents.json`, which a server executes if the app sends only the hash. They differ if the operation has a string
# with white space other than single spaces. In the second one, every run of white space becomes one space, also in
# strings: lines of a block string become one line, and no-break and ideographic spaces become spaces. The document is
# still valid, so that nothing reports it. A search for an exact text finds something else, and Markdown
# becomes one paragraph. In a language with comments to the end of a line, such as PromQL, the first comment hides the
# rest of the query, so that an alert can lose its condition. An app meets this when it changes from documents to hashes,
# which often happens in production only. Values in variables are not affected.
#
# Source: `normalizeWhiteSpace` in @graphql-tools/documents/esm/normalize-whitespace.js, after `print`. By its comment
# `printExecutableGraphQLDocument` reduces "the white space" of a document. `stripIgnoredCharacters` of graphql leaves
# strings as they are.
#
# Seen on 2026-11-29: what a server receives by the document and by its hash.
#   Phrase    document  "two  spaces"
#             hash      "two spaces"
#   Markdown  document  "# Title\n\n- first\n- second"
#             hash      " # Title - first - second "
#   Alert     document  "errors_total # all jobs\n  > 100"
#             hash      " errors_total # all jobs > 100 "
#   Escaped   document  "25\u00a0%"
#             hash      "25 %"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @graphql-codegen/cli@7.4.3 \
  @graphql-codegen/client-preset@6.2.0 @graphql-tools/documents@1.0.2 graphql@16.15.0 >/dev/null
cat > schema.graphql <<'GRAPHQL'
type Query { find(text: String!): String! }
GRAPHQL
cat > operations.graphql <<'GRAPHQL'
query Phrase { find(text: "two  spaces") }
query Markdown { find(text: """
  # Title

  - first
  - second
""") }
query Alert { find(text: """
  errors_total # all jobs
    > 100
""") }
query Escaped { find(text: "25\u00a0%") }
GRAPHQL
cat > codegen.yml <<'YAML'
schema: schema.graphql
documents: operations.graphql
generates:
  ./generated/:
    preset: client
    presetConfig: { persistedDocuments: true }
YAML
npx graphql-codegen --config codegen.yml --silent
cat > try.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { buildSchema, graphqlSync } from 'graphql'

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const find = (source, operationName) => {
  const { data } = graphqlSync({ schema, source, operationName, rootValue: { find: ({ text }) => text } })
  return JSON.stringify(data.find).replace('\u00a0', '\\u00a0')
}
const document = readFileSync('operations.graphql', 'utf8')
for (const text of Object.values(JSON.parse(readFileSync('generated/persisted-documents.json', 'utf8')))) {
  const [, name] = /^query (\w+)/.exec(text)
  console.log(`${name.padEnd(8)}  document  ${find(document, name)}`)
  console.log(`          hash      ${find(text)}`)
}
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
Phrase    document  "two  spaces"
          hash      "two spaces"
Markdown  document  "# Title\n\n- first\n- second"
          hash      " # Title - first - second "
Alert     document  "errors_total # all jobs\n  > 100"
          hash      " errors_total # all jobs > 100 "
Escaped   document  "25\u00a0%"
          hash      "25 %"
EXPECTED
