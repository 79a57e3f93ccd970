/** The scopes of a graph, and the fields that require each: what a scope picker offers. Pure. */
import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import type { Supergraph } from '../../engine/supergraph/index.ts'
import { scopesIn } from './authorize/requirement.ts'
import { type Gate, readRules } from './authorize/rules.ts'

export interface ScopeOffer {
  readonly name: string
  /** Some of the fields and types that require it, such as `Video.fileDetails`, root fields first. */
  readonly opens: readonly string[]
}

const mostTold = 6

/**
 * Sorted by name. `schema`: the API schema; scopes of other fields are left out. `most`: the maximum number of fields
 * for each.
 */
export function scopesOf(
  { document }: Pick<Supergraph, 'document'>,
  schema: GraphQLSchema,
  most = mostTold,
): ScopeOffer[] {
  const rules = readRules(document)
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
  const found = new Map<string, { roots: Set<string>; others: Set<string> }>()
  const note = (gate: Gate, coordinate: string, isRoot: boolean): void => {
    for (const scope of gate.flatMap((requirement) => requirement.flatMap(scopesIn))) {
      const known = found.get(scope) ?? { roots: new Set(), others: new Set() }
      found.set(scope, known)
      ;(isRoot ? known.roots : known.others).add(coordinate)
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    note(rules.typeGate(type.name), type.name, false)
    for (const field of Object.keys(type.getFields())) {
      const coordinate = `${type.name}.${field}`
      note(rules.ownFieldGate(type.name, field), coordinate, isObjectType(type) && roots.has(type))
    }
  }
  return [...found]
    .map(([name, known]) => ({ name, opens: [...known.roots, ...known.others].slice(0, most) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
