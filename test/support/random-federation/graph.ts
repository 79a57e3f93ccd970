/** A random graph that composes: its world, its subgraphs, its supergraph. */
import { type DocumentNode, type GraphQLSchema, isAbstractType, validate } from 'graphql'
import { loadSupergraph, type Supergraph, SupergraphError } from '../../../engine/supergraph/index.ts'
import { type RandomOperation, randomOperation } from '../random-operation.ts'
import { composeAny } from './compose.ts'
import { generateServices } from './generate.ts'
import type { Services } from './services.ts'
import { createWorldSubgraph, type WorldSubgraph } from './subgraph.ts'
import { createWorld, type World } from './world.ts'

export interface RandomGraph {
  readonly services: Services
  readonly world: World
  readonly supergraph: Supergraph
  readonly subgraphs: ReadonlyMap<string, WorldSubgraph>
}

/**
 * Undefined if the subgraphs do not compose, or to a supergraph that cannot be served or of which there is no
 * world: an interface or union without a type that could stand for it.
 */
export function openGraph(services: Services, worldSeed: number): RandomGraph | undefined {
  const supergraph = supergraphOf(services)
  if (supergraph === undefined) return undefined
  const world = createWorld(services, worldSeed)
  const subgraphs = new Map(Object.keys(services).map((name) => [name, createWorldSubgraph(world, name)]))
  return { services, world, supergraph, subgraphs }
}

/** The last one that was composed: tests open the same graph over one world after the other. */
let last: { readonly services: string; readonly supergraph: Supergraph | undefined } | undefined

function supergraphOf(services: Services): Supergraph | undefined {
  const key = JSON.stringify(services)
  if (last?.services !== key) {
    const { supergraph: sdl } = composeAny(services)
    const supergraph = sdl === undefined ? undefined : load(sdl)
    const isOpen = supergraph !== undefined && !hasEmptyTypes(supergraph.apiSchema)
    last = { services: key, supergraph: isOpen ? supergraph : undefined }
  }
  return last.supergraph
}

function hasEmptyTypes(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) => isAbstractType(type) && schema.getPossibleTypes(type).length === 0,
  )
}

function load(sdl: string): Supergraph | undefined {
  try {
    return loadSupergraph(sdl)
  } catch (error) {
    if (error instanceof SupergraphError) return undefined
    throw error
  }
}

/** The graph of a seed. Few draws do not compose; they are drawn again. */
export function randomGraph(seed: number): RandomGraph {
  for (let draw = 0; draw < 20; draw++) {
    const graph = openGraph(generateServices(seed + draw * 1_000_003), seed)
    if (graph !== undefined) return graph
  }
  throw new Error(`Nothing that was drawn from the seed ${seed} composes.`)
}

/** The operation of a seed: each eighth one is a mutation, if there are any. */
export function randomOperationOf({ supergraph }: RandomGraph, seed: number): RandomOperation | undefined {
  const kind = seed % 8 === 7 && supergraph.apiSchema.getMutationType() != null ? 'mutation' : 'query'
  return randomOperation(supergraph.apiSchema, { seed, size: 3 + ((seed * 7) % 40), rich: true, kind })
}

/** Whether a document is an operation of the graph. */
export function isValid({ supergraph }: RandomGraph, document: DocumentNode): boolean {
  return validate(supergraph.apiSchema, document).length === 0
}
