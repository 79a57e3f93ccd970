/** The scopes of a graph, and the fields that require each: what a scope picker offers. Pure. */
import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import { ownersOf } from '../../engine/supergraph/owners.ts'
import { type AccessRequirements, readRules } from './authorize/access-rules.ts'
import { scopesIn } from './authorize/requirement.ts'

export interface ScopeOffer {
  readonly name: string
  /** Some of the fields and types that require it, such as `Video.fileDetails`, root fields first. */
  readonly opens: readonly string[]
  /** The services (subgraphs) whose fields and types require it, sorted. */
  readonly services: readonly string[]
}

const mostTold = 6

/** Sorted by name; scopes of fields that are not in the API schema are left out. `most`: fields for each. */
export function scopesOf(
  { document, subgraphs }: Pick<Supergraph, 'document' | 'subgraphs'>,
  schema: GraphQLSchema,
  most = mostTold,
): ScopeOffer[] {
  const rules = readRules(document)
  const owners = ownersOf({ document, subgraphs })
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
  const found = new Map<string, { roots: Set<string>; others: Set<string>; services: Set<string> }>()
  const note = (
    required: AccessRequirements,
    coordinate: string,
    isRoot: boolean,
    services: readonly string[],
  ): void => {
    for (const scope of required.flatMap((requirement) => requirement.flatMap(scopesIn))) {
      const known = found.get(scope) ?? { roots: new Set(), others: new Set(), services: new Set() }
      found.set(scope, known)
      ;(isRoot ? known.roots : known.others).add(coordinate)
      for (const service of services) known.services.add(service)
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    note(rules.typeRequirements(type.name), type.name, false, owners.type(type.name))
    for (const field of Object.keys(type.getFields())) {
      const coordinate = `${type.name}.${field}`
      const isRoot = isObjectType(type) && roots.has(type)
      note(rules.ownFieldRequirements(type.name, field), coordinate, isRoot, owners.field(type.name, field))
    }
  }
  return [...found]
    .map(([name, known]) => ({
      name,
      opens: [...known.roots, ...known.others].slice(0, most),
      services: [...known.services].sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
