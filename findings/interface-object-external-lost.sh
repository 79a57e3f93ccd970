#!/usr/bin/env bash
# Software: @theguild/federation-composition 0.27.0 (Hive's composer), planned by @apollo/query-planner 2.14.4 (npm), beside
# @apollo/composition 2.14.4.
#
# A subgraph with `@interfaceObject` says that a field of the interface belongs to another subgraph (`title` is @external)
# and that one of its own fields needs it (`label` @requires title). Hive's composer writes no `@join__field` for a field
# that every subgraph with the interface names, so the supergraph no longer says that `title` is external in `labels`. A
# planner takes it for a field that `labels` resolves by itself, and what `label` requires is never fetched: `labels` is
# asked with the key alone. Nothing fails on the way. The subgraph's resolver just sees no title, and what it makes of that
# is the answer. Apollo's composer writes both joins, and the same planner then fetches the title first and sends it.
#
# Source: the supergraph that `composeServices` of each writes, and the plan that `QueryPlanner` of Apollo makes of it.
# Federation's documents: values of @requires are sent to the subgraph before its resolver runs.
#
# Seen on 2026-11-29, `{ media { label } }` over the same two subgraphs:
#   hive    title: String
#   hive    sent to catalogue: media { __typename id }
#   hive    sent to labels: Media { __typename id } => label
#   apollo  title: String @join__field(graph: CATALOGUE) @join__field(graph: LABELS, external: true)
#   apollo  sent to catalogue: media { __typename id title }
#   apollo  sent to labels: Media { __typename id title } => label
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @theguild/federation-composition@0.27.0 \
  @apollo/composition@2.14.4 @apollo/federation-internals@2.14.4 @apollo/query-planner@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires", "@interfaceObject"])\n'
const catalogue = `
  type Query { media: [Media!]! }
  interface Media @key(fields: "id") { id: ID! title: String }
  type Film implements Media @key(fields: "id") { id: ID! title: String }`
const labels = `
  type Media @key(fields: "id") @interfaceObject {
    id: ID!
    title: String @external
    label: String @requires(fields: "title")
  }`
const services = Object.entries({ catalogue, labels }).map(([name, sdl]) => ({
  name,
  url: `http://${name}`,
  typeDefs: parse(link + sdl),
}))

const written = (selections) =>
  selections.map(({ kind, name, typeCondition, selections: inner }) =>
    `${kind === 'Field' ? name : typeCondition}${inner === undefined ? '' : ` { ${written(inner)} }`}`,
  ).join(' ')
const sent = ({ serviceName, requires, operation }) => {
  if (requires === undefined) return `${serviceName}: ${operation.replace(/^\{(.*)\}$/, '$1')}`
  const [, field] = /\.\.\.on Media\{(\w+)\}/.exec(operation)
  return `${serviceName}: ${written(requires)} => ${field}`
}
const spaced = (text) => text.replace(/\{(?! )/g, ' { ').replace(/(?<! )\}/g, ' }')

for (const [name, compose] of [['hive', hive], ['apollo', apollo]]) {
  const { supergraphSdl, errors = [] } = compose(services)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const [title] = /(?<=^interface Media[^}]*)title: .*/m.exec(supergraphSdl)
  console.log(`${name.padEnd(7)} ${title}`)
  const supergraph = Supergraph.build(supergraphSdl)
  const operation = operationFromDocument(supergraph.apiSchema(), parse('{ media { label } }'))
  const { node } = new QueryPlanner(supergraph).buildQueryPlan(operation)
  for (const step of node.nodes)
    console.log(`${name.padEnd(7)} sent to ${spaced(sent(step.kind === 'Flatten' ? step.node : step))}`)
}
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
hive    title: String
hive    sent to catalogue: media { __typename id }
hive    sent to labels: Media { __typename id } => label
apollo  title: String @join__field(graph: CATALOGUE) @join__field(graph: LABELS, external: true)
apollo  sent to catalogue: media { __typename id title }
apollo  sent to labels: Media { __typename id title } => label
EXPECTED
