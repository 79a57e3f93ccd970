/**
 * Subgraphs whose SDL is all that a test writes: their data is a world's, whose oracle has the right answer.
 */
import { type GraphQLResolveInfo, isAbstractType, isObjectType } from 'graphql'
import type { Resolvers, Service } from './federation.ts'
import { linked } from './plans.ts'
import { marked, openGraph, type RandomGraph, type TrialFaults } from './random-federation/index.ts'
import type { WorldObject } from './random-federation/world.ts'

export interface WorldServices {
  readonly graph: RandomGraph
  readonly services: Readonly<Record<string, Service>>
  /** The whole graph's resolvers. */
  readonly oracle: Resolvers
}

/** What `startFederation` takes. */
export function worldOf(
  sdls: Readonly<Record<string, string>>,
  seed: number,
  faults: TrialFaults = {},
): WorldServices {
  const graph = openGraph(linked(sdls), seed)
  if (graph === undefined) throw new Error('The subgraphs do not compose.')
  const { world, supergraph, subgraphs } = graph
  const services = Object.fromEntries(
    [...subgraphs].map(([name, { resolvers }]) => [
      name,
      { sdl: sdls[name] ?? '', resolvers: inContext(resolvers, { faults }) },
    ]),
  )
  const resolve = (source: unknown, args: object, _: unknown, info: GraphQLResolveInfo): unknown => {
    const object = (source as WorldObject | undefined) ?? { type: info.parentType.name, id: '' }
    return marked(world.resolve(object, info.fieldName, { ...args }, faults), info)
  }
  const oracle: Resolvers = {}
  for (const type of Object.values(supergraph.apiSchema.getTypeMap())) {
    if (isAbstractType(type)) oracle[type.name] = { __resolveType: (value: WorldObject) => value.type }
    else if (isObjectType(type) && !type.name.startsWith('__'))
      oracle[type.name] = Object.fromEntries(Object.keys(type.getFields()).map((name) => [name, resolve]))
  }
  return { graph, services, oracle }
}

/** Resolvers that get this context instead of the request's. */
function inContext(resolvers: Resolvers, context: object): Resolvers {
  const bound: Resolvers = {}
  for (const [type, fields] of Object.entries(resolvers)) {
    bound[type] = { ...fields }
    for (const [name, resolver] of Object.entries<(...given: unknown[]) => unknown>(fields))
      if (name === '__resolveReference') bound[type][name] = (key: unknown) => resolver(key, context)
      else if (name !== '__resolveType')
        bound[type][name] = (source: unknown, args: unknown, _: unknown, info: unknown) =>
          resolver(source, args, context, info)
  }
  return bound
}
