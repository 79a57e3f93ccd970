/**
 * `npm run bench -- --planning`: planning times, and the cost of plans compared with those of Apollo's query
 * planner. It covers our own graph's operations, 60 fields over ten subgraphs, and random graphs. It reports the
 * planning time at the median and at the 99th percentile, the number of consecutive stages, and the fetches. The
 * exit code is 1 if a plan has more stages than Apollo's, or as many stages and more fetches.
 */
import { readFileSync } from 'node:fs'
import { Supergraph as ApolloSupergraph, operationFromDocument } from '@apollo/federation-internals'
import { type PlanNode as ApolloNode, QueryPlanner, type SubscriptionNode } from '@apollo/query-planner'
import { type DocumentNode, type GraphQLSchema, getOperationAST, parse } from 'graphql'
import { normaliseOver } from '../engine/operation/normalised.ts'
import { createPlanner, type Plan, type Planner } from '../engine/planner/index.ts'
import { loadSupergraph } from '../engine/supergraph/index.ts'
import { startApollo } from '../test/support/random-federation/apollo.ts'
import {
  composeAny,
  type RandomGraph,
  randomGraph,
  randomOperationOf,
  rightAnswer,
} from '../test/support/random-federation/index.ts'
import type { RandomOperation } from '../test/support/random-operation.ts'
import { operations } from './operations.ts'

interface Cost {
  readonly stages: number
  readonly fetches: number
}

const nothing: Cost = { stages: 0, fetches: 0 }
const inTurn = (costs: readonly Cost[]): Cost => ({
  stages: costs.reduce((sum, { stages }) => sum + stages, 0),
  fetches: costs.reduce((sum, { fetches }) => sum + fetches, 0),
})
const together = (costs: readonly Cost[]): Cost => ({
  stages: Math.max(0, ...costs.map(({ stages }) => stages)),
  fetches: costs.reduce((sum, { fetches }) => sum + fetches, 0),
})

function costOf(plan: Plan): Cost {
  if (plan === undefined) return nothing
  if (plan.kind === 'sequence') return inTurn(plan.nodes.map(costOf))
  return plan.kind === 'parallel' ? together(plan.nodes.map(costOf)) : { stages: 1, fetches: 1 }
}

function apolloCostOf(node: ApolloNode | SubscriptionNode | undefined): Cost {
  switch (node?.kind) {
    case 'Sequence':
      return inTurn(node.nodes.map(apolloCostOf))
    case 'Parallel':
      return together(node.nodes.map(apolloCostOf))
    case 'Flatten':
      return apolloCostOf(node.node)
    case 'Condition':
      return together([apolloCostOf(node.ifClause), apolloCostOf(node.elseClause)])
    case 'Fetch':
      return { stages: 1, fetches: 1 }
    default:
      return nothing
  }
}

interface Planners {
  readonly own: Planner
  readonly schema: GraphQLSchema
  readonly apollo: (document: DocumentNode) => Cost
}

function plannersFor(sdl: string): Planners {
  const own = loadSupergraph(sdl)
  const supergraph = ApolloSupergraph.build(sdl, { supportedFeatures: null })
  const planner = new QueryPlanner(supergraph)
  const schema = supergraph.apiSchema()
  return {
    own: createPlanner(own),
    schema: own.apiSchema,
    apollo: (document) => apolloCostOf(planner.buildQueryPlan(operationFromDocument(schema, document)).node),
  }
}

/** Milliseconds at the median and at the 99th percentile. */
function quantiles(times: readonly number[]): { median: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99) }
}

function planOnce({ own, schema }: Planners, document: DocumentNode): { ms: number; plan: Plan } {
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('There is no operation to be planned.')
  const start = performance.now()
  const plan = own.plan({ operation: normaliseOver(schema, document, operation) })
  return { ms: performance.now() - start, plan }
}

let worse = 0

function row(name: string, planners: Planners, document: DocumentNode, repeats = 300): void {
  const first = planOnce(planners, document)
  const times = Array.from({ length: repeats }, () => planOnce(planners, document).ms)
  const { median, p99 } = quantiles(times)
  const [own, apollo] = [costOf(first.plan), planners.apollo(document)]
  const isWorse = own.stages > apollo.stages || own.fetches > apollo.fetches
  if (isWorse) worse += 1
  const ms = (value: number): string => value.toFixed(3).padStart(9)
  console.log(
    `${name.padEnd(34)}${ms(first.ms)}${ms(median)}${ms(p99)}   ${own.stages}/${own.fetches}`.padEnd(72),
    `${apollo.stages}/${apollo.fetches}${isWorse ? '   WORSE' : ''}`,
  )
}

/** Ten subgraphs with five fields of one entity each, and one that leads to the next. */
function tenSubgraphs(): { sdl: string; query: string } {
  const numbers = Array.from({ length: 10 }, (_, i) => i)
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"]) type Query { '
  const services = Object.fromEntries(
    numbers.map((i) => [
      `s${i}`,
      `${link} root${i}: Item } type Item @key(fields: "id") { id: ID! a${i}: Int b${i}: String c${i}: Int d${i}: String next${i}: Item }`,
    ]),
  )
  const { supergraph, errors } = composeAny(services)
  if (supergraph === undefined) throw new Error(errors?.join('\n'))
  const fields = numbers.map((i) => `a${i} b${i} c${i} d${i}`).join(' ')
  const nested = numbers.slice(0, 9).map((i) => `next${i} { a${i + 1} }`)
  return { sdl: supergraph, query: `{ root0 { id ${fields} ${nested.join(' ')} } }` }
}

/** Prints the results. Returns 1 if a plan is worse than Apollo's. */
export async function measurePlanning(): Promise<number> {
  console.log(
    `${'operation'.padEnd(34)}    first   median      p99   stages/fetches, and of @apollo/query-planner`,
  )
  const withoutScopes = readFileSync(new URL('../schema/supergraph.graphql', import.meta.url), 'utf8')
  const own = plannersFor(withoutScopes)
  for (const { name, what, text } of operations) row(`${name} ${what}`.slice(0, 32), own, parse(text))
  const ten = tenSubgraphs()
  row('60 fields over ten subgraphs', plannersFor(ten.sdl), parse(ten.query), 100)

  const { times, totals } = await compareOverRandomGraphs(40)
  worse += totals.worse + totals.refused
  const { median, p99 } = quantiles(times)
  console.log(
    `random graphs: ${JSON.stringify(totals)}, planned at ${median.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`,
  )
  return worse > 0 ? 1 : 0
}

/**
 * Compares plans with Apollo's by stages and fetches. A plan of Apollo's that seems better is executed, because
 * some request an `@external` field that the subgraph cannot resolve. A wrong plan does not count.
 */
async function compareOverRandomGraphs(graphs: number) {
  const totals = { operations: 0, better: 0, equal: 0, worse: 0, refused: 0, apolloFails: 0, apolloWrong: 0 }
  const times: number[] = []
  for (let seed = 1; seed <= graphs; seed++) {
    const graph = randomGraph(seed)
    if (/@fromContext/.test(Object.values(graph.services).join())) continue
    const planners = plannersFor(graph.supergraph.sdl)
    for (let i = 0; i < 25; i++) {
      const operation = randomOperationOf(graph, seed * 1000 + i)
      if (operation === undefined) continue
      const document = parse(operation.query)
      const which = `seed ${seed}, operation ${i}`
      totals.operations += 1
      let planned: ReturnType<typeof planOnce>
      try {
        planned = planOnce(planners, document)
      } catch {
        totals.refused += 1
        console.log(`refused: ${which}`)
        continue
      }
      const { ms, plan } = planned
      times.push(ms)
      let apollo: Cost
      try {
        apollo = planners.apollo(document)
      } catch {
        totals.apolloFails += 1
        continue
      }
      const cost = costOf(plan)
      const difference = cost.stages - apollo.stages || cost.fetches - apollo.fetches
      if (difference < 0) totals.better += 1
      else if (difference === 0) totals.equal += 1
      else if (await isApolloRight(graph, operation)) {
        totals.worse += 1
        const [own, other] = [cost, apollo].map(({ stages, fetches }) => `${stages}/${fetches}`)
        console.log(`worse: ${which}: ${own}, Apollo's ${other}`)
      } else totals.apolloWrong += 1
    }
  }
  return { times, totals }
}

async function isApolloRight(graph: RandomGraph, { query, variables }: RandomOperation): Promise<boolean> {
  const document = parse(query)
  const apollo = await startApollo(graph)
  try {
    const { data } = await apollo.execute(document, variables)
    const right = await rightAnswer(graph, document, variables)
    return JSON.stringify(data) === JSON.stringify(right.data)
  } finally {
    await apollo.close()
  }
}
