/**
 * The part of an operation that has to be fetched: without introspection and without the root's
 * `__typename`, which the gateway knows by itself and the planner does not plan.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  separateOperations,
} from 'graphql'

export function isIntrospection(field: FieldNode): boolean {
  return field.name.value === '__schema' || field.name.value === '__type'
}

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

/** One operation with the fragments that it uses; undefined where nothing is left to be fetched. */
export function plannable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode | undefined {
  const own = documentOf(document, operation)
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of own.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  if (!needsTrimming(operation.selectionSet, fragments, new Set(), true)) return own

  const trimmed = new Map<string, FragmentDefinitionNode | undefined>()

  // Fragments of the root are written out in place: below the root, the same fragment keeps its __typename.
  const set = (node: SelectionSetNode, root: boolean): SelectionNode[] =>
    node.selections.flatMap((selection): SelectionNode[] => {
      switch (selection.kind) {
        case Kind.FIELD: {
          if (isIntrospection(selection) || (root && selection.name.value === '__typename')) return []
          if (selection.selectionSet === undefined) return [selection]
          const selections = set(selection.selectionSet, false)
          return [
            {
              ...selection,
              selectionSet: {
                kind: Kind.SELECTION_SET,
                selections: selections.length === 0 ? [typename] : selections,
              },
            },
          ]
        }
        case Kind.INLINE_FRAGMENT: {
          const selections = set(selection.selectionSet, root)
          return selections.length === 0
            ? []
            : [{ ...selection, selectionSet: { kind: Kind.SELECTION_SET, selections } }]
        }
      }
      const definition = fragments.get(selection.name.value)
      if (definition === undefined) return []
      if (root) {
        const selections = set(definition.selectionSet, true)
        if (selections.length === 0) return []
        return [
          {
            kind: Kind.INLINE_FRAGMENT,
            typeCondition: definition.typeCondition,
            ...(selection.directives === undefined ? {} : { directives: selection.directives }),
            selectionSet: { kind: Kind.SELECTION_SET, selections },
          },
        ]
      }
      return fragment(definition) === undefined ? [] : [selection]
    })

  const fragment = (definition: FragmentDefinitionNode): FragmentDefinitionNode | undefined => {
    const name = definition.name.value
    if (!trimmed.has(name)) {
      const selections = set(definition.selectionSet, false)
      trimmed.set(
        name,
        selections.length === 0
          ? undefined
          : { ...definition, selectionSet: { kind: Kind.SELECTION_SET, selections } },
      )
    }
    return trimmed.get(name)
  }

  const selections = set(operation.selectionSet, true)
  if (selections.length === 0) return undefined
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } },
      ...[...trimmed.values()].filter((definition) => definition !== undefined),
    ],
  }
}

/** The document with this operation alone. */
function documentOf(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (operations.length === 1) return document
  return separateOperations(document)[operation.name?.value ?? ''] ?? document
}

function needsTrimming(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
  root: boolean,
): boolean {
  return set.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) {
      if (isIntrospection(selection) || (root && selection.name.value === '__typename')) return true
      return (
        selection.selectionSet !== undefined && needsTrimming(selection.selectionSet, fragments, seen, false)
      )
    }
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return needsTrimming(selection.selectionSet, fragments, seen, root)
    const name = `${root ? 'root' : 'below'} ${selection.name.value}`
    if (seen.has(name)) return false
    seen.add(name)
    const definition = fragments.get(selection.name.value)
    return definition !== undefined && needsTrimming(definition.selectionSet, fragments, seen, root)
  })
}
