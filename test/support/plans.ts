/** Supergraphs that are planned over and never asked, and what a plan costs, as the planner compares it. */
import { parse, validate } from 'graphql'
import {
  createPlanner,
  eachFetch,
  type Plan,
  type PlanInput,
  type PlannerOptions,
} from '../../engine/planner/index.ts'
import { loadSupergraph, type Supergraph } from '../../engine/supergraph/index.ts'
import { linkedSdl } from './linked-sdl.ts'
import { planInputOf } from './normalised.ts'
import { composeAny } from './random-federation/index.ts'

/** The SDL of each subgraph with the directives of Federation that it uses. */
export function linked(services: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(services).map(([name, sdl]) => [name, linkedSdl(sdl)]))
}

/** The supergraph of subgraphs, of which each is its SDL. */
export function supergraphOf(services: Readonly<Record<string, string>>): Supergraph {
  const composed = composeAny(linked(services))
  if (composed.supergraph === undefined) throw new Error(`They do not compose: ${JSON.stringify(composed)}`)
  return loadSupergraph(composed.supergraph)
}

const graphs = [...'ABCDEF'].map(
  (name) => `${name} @join__graph(name: "${name.toLowerCase()}", url: "http://127.0.0.1:1/")`,
)

/**
 * A supergraph as no composition makes it, of subgraphs `a` to `f`: `@A(key: "id")` is short for its `@join__type`, `@a`
 * for that `@join__field`. A field with neither is in all subgraphs that have the type.
 */
export function joined(sdl: string): Supergraph {
  const text = sdl.replace(/@([a-fA-F])\b(\(?)/g, (_, name: string, open: string) => {
    const directive = name === name.toUpperCase() ? 'type' : 'field'
    return `@join__${directive}(graph: ${name.toUpperCase()}${open === '' ? ')' : ', '}`
  })
  return loadSupergraph(`enum join__Graph { ${graphs.join(' ')} } ${text}`)
}

export function inputOf({ apiSchema }: Supergraph, query: string): PlanInput {
  const document = parse(query)
  const [fault] = validate(apiSchema, document)
  if (fault !== undefined) throw fault
  return planInputOf(apiSchema, document)
}

/** Plans operations over the supergraph of these subgraphs. */
export function planning(services: Readonly<Record<string, string>>, options?: PlannerOptions) {
  const supergraph = supergraphOf(services)
  const planner = createPlanner(supergraph, options)
  return (query: string): Plan => planner.plan(inputOf(supergraph, query))
}

/** How many fetches follow each other. */
export function stagesOf(plan: Plan): number {
  if (plan === undefined) return 0
  if (plan.kind === 'fetch' || plan.kind === 'entities') return 1
  const each = plan.nodes.map(stagesOf)
  return plan.kind === 'sequence' ? each.reduce((sum, stages) => sum + stages, 0) : Math.max(...each)
}

export function fetchesOf(plan: Plan): number {
  let fetches = 0
  eachFetch(plan, () => {
    fetches += 1
  })
  return fetches
}
