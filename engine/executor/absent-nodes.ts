/**
 * Relay expects `Query.node` and `Query.nodes` to return null for objects that do not exist. A subgraph that only
 * decodes global ids returns an object for every well-formed id. The object exists if its fields come from another
 * subgraph: if all subgraphs that are asked do not know it, it becomes null.
 */
import { type GraphQLSchema, isInterfaceType, parse } from 'graphql'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { type NormalisedOperation, selectionsIn } from '../operation/normalised.ts'
import type { Plan, PlanNode } from '../planner/index.ts'
import type { Execution, JsonObject } from './execution.ts'

/** The response keys of `node` and `nodes` fields whose objects have only key fields before entities are looked up. */
export function nodeFieldsToVerify(
  schema: GraphQLSchema,
  { kind, selections }: NormalisedOperation,
  plan: Plan,
): ReadonlySet<string> {
  const keys = new Set<string>()
  if (plan === undefined || kind !== 'query' || !isInterfaceType(schema.getType('Node'))) return keys
  for (const { field } of selections)
    if ((field.name === 'node' || field.name === 'nodes') && field.output === 'Node') keys.add(field.key)
  if (keys.size === 0) return keys
  const required = new Map<string, Set<string>>()
  const fetched = new Map<string, Set<string>>()
  read(plan, required, fetched)
  for (const key of keys) {
    const needs = required.get(key)
    const names = fetched.get(key)
    if (needs === undefined || names === undefined || [...names].some((name) => !needs.has(name)))
      keys.delete(key)
  }
  return keys
}

/** Collects the fields that lookups need below each root key, and those that root fetches select there. */
function read(node: PlanNode, required: Map<string, Set<string>>, fetched: Map<string, Set<string>>): void {
  switch (node.kind) {
    case 'sequence':
    case 'parallel':
      for (const each of node.nodes) read(each, required, fetched)
      return
    case 'fetch': {
      for (const { field } of selectionsIn(parse(node.operation.text, { noLocation: true }))) {
        if (field.selections === undefined) continue
        const names = getOrInsert(fetched, field.key, noNames)
        for (const { field: below } of field.selections)
          names.add(below.selections === undefined ? below.name : `${below.name} and below`)
      }
      return
    }
    case 'entities':
      for (const group of node.groups)
        for (const [root] of group.paths)
          if (root?.kind === 'field') {
            const names = getOrInsert(required, root.key, noNames)
            names.add('__typename')
            for (const { fields } of group.representations) for (const { name } of fields) names.add(name)
          }
  }
}

const noNames = (): Set<string> => new Set()

/** Sets objects to null that no subgraph knows. */
export function removeAbsentNodes(execution: Execution, keys: ReadonlySet<string>): void {
  const { data, absent } = execution
  if (data === undefined || absent === undefined) return
  const isAbsent = (value: unknown): boolean => absent.get(value as JsonObject) === true
  for (const key of keys) {
    const value = data[key]
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) if (isAbsent(value[i])) value[i] = null
    } else if (isAbsent(value)) data[key] = null
  }
}
