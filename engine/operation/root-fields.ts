/** An operation with the root fields of one response key alone, and the fields that are written in it. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf } from '../../shared/graphql/selections.ts'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The document, with only the root fields of this response key in its operation. */
export function withRootKey(
  document: DocumentNode,
  operationName: string | undefined,
  key: string,
): DocumentNode {
  const definition = getOperationAST(document, operationName)
  if (definition == null) return document
  const selections = ofKey(definition.selectionSet.selections, key, fragmentsOf(document))
  const own = { ...definition, selectionSet: { ...definition.selectionSet, selections } }
  return {
    ...document,
    definitions: document.definitions.map((each) => (each === definition ? own : each)),
  }
}

/** Fragments at the root become inline, because they may be used elsewhere as a whole. */
function ofKey(selections: readonly SelectionNode[], key: string, fragments: Fragments): SelectionNode[] {
  return selections.flatMap((selection): SelectionNode[] => {
    if (selection.kind === Kind.FIELD)
      return (selection.alias ?? selection.name).value === key ? [selection] : []
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    if (fragment === undefined) return []
    const within = ofKey(fragment.selectionSet.selections, key, fragments)
    if (within.length === 0) return []
    const { typeCondition } = fragment
    return [
      {
        kind: Kind.INLINE_FRAGMENT,
        ...(typeCondition && { typeCondition }),
        ...(selection.directives && { directives: selection.directives }),
        selectionSet: { kind: Kind.SELECTION_SET, selections: within },
      },
    ]
  })
}

/** The fields of an operation and of the fragments that it spreads, each once. */
export function fieldsReachedBy(
  document: DocumentNode,
  operationName: string | undefined,
): ReadonlySet<FieldNode> {
  const fields = new Set<FieldNode>()
  const spread = new Set<string>()
  const fragments = fragmentsOf(document)
  const open: SelectionSetNode[] = []
  const own = getOperationAST(document, operationName)
  if (own != null) open.push(own.selectionSet)
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields.add(selection)
      if (selection.kind !== Kind.FRAGMENT_SPREAD) {
        if (selection.selectionSet !== undefined) open.push(selection.selectionSet)
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) open.push(fragment.selectionSet)
      }
    }
  }
  return fields
}
