/**
 * The part of an operation that has to be fetched. Left out is what the gateway knows by itself and the planner
 * does not plan: introspection, the root's `__typename`, and aliases of `__typename` (the response has the name
 * from the type, which is known by `__typename` itself). Left out, too, are fragments that no object can match,
 * which the planner fails on where nothing else is asked for.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  separateOperations,
} from 'graphql'
import { type PossibleTypes, typesNamed } from '../execute/rewrite.ts'

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

/** Where a selection stands: at the root, and for which object types as far as fragments around it say. */
interface Place {
  readonly root: boolean
  readonly types: ReadonlySet<string> | undefined
}

const anywhere: Place = { root: false, types: undefined }

const selectionSet = (selections: readonly SelectionNode[]): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections,
})

/** One operation with the fragments that it uses; undefined where nothing is left to be fetched. */
export function plannable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  possibleTypes: PossibleTypes,
): DocumentNode | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of documentOf(document, operation).definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const trimmed = new Map<string, FragmentDefinitionNode | undefined>()

  const within = (place: Place, condition: NamedTypeNode | undefined): Place | undefined => {
    if (condition === undefined) return place
    const named = typesNamed([condition.name.value], possibleTypes)
    const around = place.types
    const types = around === undefined ? named : new Set([...named].filter((type) => around.has(type)))
    return types.size === 0 ? undefined : { root: place.root, types }
  }

  const one = (selection: SelectionNode, place: Place): readonly SelectionNode[] => {
    if (selection.kind === Kind.FIELD) return field(selection, place)
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const inner = within(place, selection.typeCondition)
      const left = inner === undefined ? [] : set(selection.selectionSet, inner)
      return left.length === 0 ? [] : [{ ...selection, selectionSet: selectionSet(left) }]
    }
    const definition = fragments.get(selection.name.value)
    const inner = within(place, definition?.typeCondition)
    if (definition === undefined || inner === undefined) return []
    if (!place.root) return fragment(definition) === undefined ? [] : [selection]
    // Fragments of the root are written out in place: below the root, the same fragment keeps its __typename.
    const left = set(definition.selectionSet, inner)
    if (left.length === 0) return []
    const { directives } = selection
    return [
      {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: definition.typeCondition,
        ...(directives === undefined ? {} : { directives }),
        selectionSet: selectionSet(left),
      },
    ]
  }

  const field = (node: FieldNode, { root }: Place): readonly FieldNode[] => {
    const name = node.name.value
    if (name === '__schema' || name === '__type') return []
    if (name === '__typename') return root ? [] : [typename]
    if (node.selectionSet === undefined) return [node]
    const below = set(node.selectionSet, anywhere)
    return [{ ...node, selectionSet: selectionSet(isAlive(below) ? below : [typename, ...below]) }]
  }

  /** Whether some object gets a field out of this for certain; the planner forgets about fields where none does. */
  const isAlive = (selections: readonly SelectionNode[]): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return true
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : trimmed.get(selection.name.value)?.selectionSet
      return inner?.selections.some(({ kind }) => kind === Kind.FIELD) === true
    })

  const set = (node: SelectionSetNode, place: Place): SelectionNode[] =>
    node.selections.flatMap((selection) => one(selection, place))

  const fragment = (definition: FragmentDefinitionNode): FragmentDefinitionNode | undefined => {
    const name = definition.name.value
    if (!trimmed.has(name)) {
      const left = set(definition.selectionSet, within(anywhere, definition.typeCondition) ?? anywhere)
      trimmed.set(name, left.length === 0 ? undefined : { ...definition, selectionSet: selectionSet(left) })
    }
    return trimmed.get(name)
  }

  const selections = set(operation.selectionSet, { root: true, types: undefined })
  if (selections.length === 0) return undefined
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      { ...operation, selectionSet: selectionSet(selections) },
      ...[...trimmed.values()].filter((definition) => definition !== undefined),
    ],
  }
}

/** The document with this operation alone, and no fragment that it does not use. */
function documentOf(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  if (document.definitions.length === 1) return document
  return separateOperations(document)[operation.name?.value ?? ''] ?? document
}
