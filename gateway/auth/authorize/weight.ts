/**
 * What remains of each field for a caller to request after refused fields are removed. It decides whether a field stays
 * in the fetched operation.
 */
import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Decision } from './decision.ts'
import type { Selection } from './selection.ts'

/**
 * `wanted`: it selects something that may run. `idle`: it selects nothing of its own, but its absence would be visible.
 * `nothing`: it can be removed.
 */
export type Weight = 'wanted' | 'idle' | 'nothing'

const max = (a: Weight, b: Weight): Weight =>
  a === 'wanted' || b === 'wanted' ? 'wanted' : a === 'idle' || b === 'idle' ? 'idle' : 'nothing'

export interface Weights {
  field(node: FieldNode): Weight
  /** Of what a field or an operation selects, whether or not it may run itself. */
  content(node: FieldNode | OperationDefinitionNode): Weight
  decision(node: FieldNode): Decision
}

export function weigh(selection: Selection, decision: (node: FieldNode) => Decision): Weights {
  const fields = new Map<FieldNode, Weight>()
  const fragments = new Map<string, Weight>()

  const ofField = (node: FieldNode): Weight => {
    const known = fields.get(node)
    if (known !== undefined) return known
    const weight = fresh(node)
    fields.set(node, weight)
    return weight
  }
  const fresh = (node: FieldNode): Weight => {
    const { open, idle } = decision(node)
    if (idle) return 'idle'
    if (open !== undefined && open.length === 0) return 'nothing'
    const site = selection.sites.get(node)
    if (site === undefined || node.selectionSet === undefined) return 'wanted'
    if (ofSet(node.selectionSet) === 'wanted') return 'wanted'
    // A mutation is not run if its whole response is refused.
    return site.nonNull && site.rootOf !== 'mutation' ? 'idle' : 'nothing'
  }
  const ofSet = (set: SelectionSetNode): Weight => {
    let weight: Weight = 'nothing'
    for (const each of set.selections) weight = max(weight, ofSelection(each))
    return weight
  }
  const ofSelection = (node: SelectionNode): Weight => {
    if (node.kind === Kind.FIELD) return ofField(node)
    if (node.kind === Kind.INLINE_FRAGMENT) return ofSet(node.selectionSet)
    const name = node.name.value
    const known = fragments.get(name)
    if (known !== undefined) return known
    const fragment = selection.fragments.get(name)
    const weight = fragment === undefined ? 'nothing' : ofSet(fragment.selectionSet)
    fragments.set(name, weight)
    return weight
  }
  const content = (node: FieldNode | OperationDefinitionNode): Weight =>
    node.selectionSet === undefined ? 'nothing' : ofSet(node.selectionSet)
  return { field: ofField, content, decision }
}
