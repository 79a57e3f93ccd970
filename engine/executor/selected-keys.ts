/** Reads the selected response keys of a fetch from its document. */
import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql'
import { isIncluded } from '../../shared/graphql/conditions.ts'
import { fragmentsOf, responseKey } from '../../shared/graphql/selections.ts'
import { type PossibleTypes, typesNamed } from './renames.ts'

type Variables = Readonly<Record<string, unknown>>

function rootOf(document: DocumentNode): SelectionSetNode | undefined {
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) return definition.selectionSet
  return undefined
}

export interface SelectedEntity {
  readonly alias: string
  /** Undefined: any type. */
  readonly type: string | undefined
  readonly possibleTypes: PossibleTypes
}

/**
 * The response keys that a fetch selects at its root, or of an entity of a type. Restricted to fields that the
 * variables include, if they are given.
 */
export function selectedKeys(
  document: DocumentNode,
  variables?: Variables,
  entity?: SelectedEntity,
): string[] {
  const fragments = fragmentsOf(document)
  const keys = new Set<string>()

  const walk = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (variables !== undefined && !isIncluded(selection, variables)) continue
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== '__typename') keys.add(responseKey(selection))
        continue
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) continue
      const condition = fragment.typeCondition?.name.value
      const applies =
        entity?.type === undefined ||
        condition === undefined ||
        typesNamed([condition], entity.possibleTypes).has(entity.type)
      if (applies) walk(fragment.selectionSet)
    }
  }

  const root = rootOf(document)
  if (root === undefined) return []
  if (entity === undefined) walk(root)
  else {
    for (const selection of root.selections) {
      if (selection.kind !== Kind.FIELD || selection.selectionSet === undefined) continue
      if (responseKey(selection) === entity.alias) walk(selection.selectionSet)
    }
  }
  return [...keys]
}
