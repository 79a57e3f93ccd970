#!/usr/bin/env bash
# Software: @graphql-hive/router-query-planner 0.0.38 (npm), the planner of Hive Router and of Hive Gateway's `router-runtime`,
# beside @apollo/query-planner 2.14.4.
#
# An object begins in `stock`, which knows its `code`. `labels` has a field that requires `copies` of `stock`, and knows the
# object by its `id` alone, which `films` tells for a code. So the value that is required is where the object began, and the
# key is one subgraph further. Hive's planner makes no plan of that: the fetch that needs both has two parents, and it
# expects one. The composers accept the graph, and the same field is planned if the object begins in one of the other two
# subgraphs. So a field that was tried by one root field fails by another one, with the whole operation. It needs no second
# `@requires` as in https://github.com/graphql-hive/router/issues/1310. Apollo's planner makes four fetches of it.
#
# Cure in a graph: the subgraph in which objects begin gets the key of the subgraph that requires (`id` in `stock`).
#
# Source: the plans of both planners for one supergraph of Apollo's composer.
#
# Seen on 2026-11-30:
#   { film { label } }      hive    films > stock > labels
#   { film { label } }      apollo  films > stock > labels
#   { labelled { label } }  hive    labels > films > stock > labels
#   { labelled { label } }  apollo  labels > films > stock > labels
#   { stocked { label } }   hive    Expected a single parent, but the FetchStep [2] has many
#   { stocked { label } }   apollo  stock > films > stock > labels
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . @graphql-hive/router-query-planner@0.0.38 \
  @apollo/composition@2.14.4 @apollo/federation-internals@2.14.4 @apollo/query-planner@2.14.4 graphql@16.15.0 >/dev/null
cat > try.mjs <<'JS'
import { composeServices } from '@apollo/composition'
import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { QueryPlanner as ApolloPlanner } from '@apollo/query-planner'
import { QueryPlanner as HivePlanner } from '@graphql-hive/router-query-planner'
import { parse } from 'graphql'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])\n'
const subgraphs = {
  films: 'type Query { film: Film } type Film @key(fields: "id") @key(fields: "code") { id: ID! code: ID! }',
  stock: 'type Query { stocked: Film } type Film @key(fields: "code") { code: ID! copies: Int }',
  labels: `type Query { labelled: Film }
    type Film @key(fields: "id") { id: ID! copies: Int @external label: String @requires(fields: "copies") }`,
}
const { errors = [], supergraphSdl } = composeServices(
  Object.entries(subgraphs).map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(link + sdl) })),
)
if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))

const supergraph = Supergraph.build(supergraphSdl)
const planners = {
  hive: (query) => new HivePlanner(supergraphSdl).plan(query, undefined, new Set(), 0),
  apollo: (query) =>
    new ApolloPlanner(supergraph).buildQueryPlan(operationFromDocument(supergraph.apiSchema(), parse(query))),
}
const fetches = (node) =>
  node.nodes?.map(fetches).join(' > ') ?? (node.kind === 'Flatten' ? fetches(node.node) : node.serviceName)
for (const query of ['{ film { label } }', '{ labelled { label } }', '{ stocked { label } }'])
  for (const [name, plan] of Object.entries(planners)) {
    let seen
    try {
      seen = fetches(plan(query).node)
    } catch (error) {
      seen = error.message.split(': ').at(-1)
    }
    console.log(`${query.padEnd(23)} ${name.padEnd(7)} ${seen}`)
  }
JS
node try.mjs | tee seen.txt
diff seen.txt - <<'EXPECTED'
{ film { label } }      hive    films > stock > labels
{ film { label } }      apollo  films > stock > labels
{ labelled { label } }  hive    labels > films > stock > labels
{ labelled { label } }  apollo  labels > films > stock > labels
{ stocked { label } }   hive    Expected a single parent, but the FetchStep [2] has many
{ stocked { label } }   apollo  stock > films > stock > labels
EXPECTED
