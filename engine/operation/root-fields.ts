/** An operation with the root fields of one response key alone, and the fields that are written in it. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionNode,
} from 'graphql'
import { fragmentsOf } from '../../shared/graphql/selections.ts'
import type { NormalisedOperation } from './normalised.ts'

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

/** The normalised operation with only the root fields of this response key. Ids remain the same. */
export function rootKeyOf(operation: NormalisedOperation, key: string): NormalisedOperation {
  const selections = operation.selections.filter(({ field }) => field.key === key)
  const fields = new Set(selections.map(({ field }) => field))
  // The set grows during the walk.
  for (const field of fields) for (const below of field.selections ?? []) fields.add(below.field)
  return { ...operation, selections, fields: [...fields] }
}
