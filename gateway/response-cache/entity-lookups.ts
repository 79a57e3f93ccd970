/** The lookups of a fetch of entities, and the cache keys of their results. */
import { type DocumentNode, Kind } from 'graphql'
import type { Selection as SelectedField } from '../../engine/operation/normalised.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { canonicalJson } from '../../shared/json/canonical-json.ts'
import { CacheKeys } from './cache-keys.ts'
import type { CachedSubgraph, HeldEntry, LookUp } from './cached-subgraph.ts'
import type { SchemaFacts } from './schema-facts.ts'
import { Selection } from './selection.ts'

export type Variables = Readonly<Record<string, unknown>>
type Representation = Readonly<Record<string, unknown>>

/** One `_entities` field of the fetch. */
export interface Group {
  readonly alias: string
  /** The variable with its representations. */
  readonly variable: string
  readonly selection: Selection
  /** Names of the other variables. */
  readonly others: readonly string[]
}

export interface EntityLookUp extends LookUp {
  readonly group: Group
  /** Its place among the representations of its group. */
  readonly index: number
  /** Its place among those that are sent. */
  position: number
  readonly representation: Representation
  readonly type: string
  held: HeldEntry | undefined
}

/** Undefined if a field is not requested in the way of planners. */
export function groupsOf(
  facts: SchemaFacts,
  document: DocumentNode,
  selections: readonly SelectedField[],
): readonly Group[] | undefined {
  const groups: Group[] = []
  for (const { field, when } of selections) {
    const value = field.arguments[0]?.value
    const selectionSet = field.nodes[0]?.selectionSet
    if (value?.kind !== Kind.VARIABLE || selectionSet === undefined) return undefined
    const selection = new Selection(facts, document, selectionSet, field.selections ?? [])
    const conditions = (when?.all ?? []).map(({ variable }) => variable)
    groups.push({
      alias: field.key,
      variable: value.name.value,
      selection,
      others: [...new Set([...selection.variables, ...conditions])].sort(),
    })
  }
  return groups
}

/** Makes the lookups of one fetch, all without a result. */
export function createLookUps(
  { rules, callerPart, identity }: CachedSubgraph,
  groups: readonly Group[],
): (variables: Variables, request: GatewayRequest) => EntityLookUp[] {
  const usual = (rules.freshMs ?? 0) / 1000
  return (variables, request) =>
    groups.flatMap((group) => {
      const values = group.others.flatMap((each) =>
        variables[each] === undefined ? [] : [[each, variables[each]] as const],
      )
      const material = `${identity}\nentity\n${group.selection.text}\n${canonicalJson(Object.fromEntries(values))}\n`
      const representations = variables[group.variable]
      return (Array.isArray(representations) ? (representations as Representation[]) : []).map(
        (representation, index) => {
          const type = String(representation.__typename)
          const policy = group.selection.policy(type, false, usual)
          const keys = new CacheKeys(
            `${material}${canonicalJson(representation)}`,
            policy.guard,
            request,
            callerPart,
          )
          return { group, index, position: index, representation, type, policy, keys, held: undefined }
        },
      )
    })
}

/** The variables with only these representations. */
export function variablesFor(
  groups: readonly Group[],
  variables: Variables,
  asked: readonly EntityLookUp[],
): Variables {
  const fewer: Record<string, unknown> = { ...variables }
  for (const group of groups)
    fewer[group.variable] = asked
      .filter((each) => each.group === group)
      .map(({ representation }) => representation)
  return fewer
}
