/** What a fetch asks for, read from its document: which keys, under which conditions. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { type PossibleTypes, typesNamed } from './rewrite.ts'

type Variables = Readonly<Record<string, unknown>>

function isIncluded(node: SelectionNode, variables: Variables): boolean {
  for (const directive of node.directives ?? []) {
    const skip = directive.name.value === 'skip'
    if (!skip && directive.name.value !== 'include') continue
    const value = directive.arguments?.[0]?.value
    const truth =
      value?.kind === Kind.VARIABLE
        ? variables[value.name.value] === true
        : value?.kind === Kind.BOOLEAN && value.value
    if (truth === skip) return false
  }
  return true
}

function rootOf(document: DocumentNode): SelectionSetNode | undefined {
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) return definition.selectionSet
  return undefined
}

/**
 * Whether a root fetch has anything to ask for; undefined where it always has. The planner leaves conditions in
 * the subgraph's document: without this a fetch could leave that asks for nothing.
 */
export function rootGuard(document: DocumentNode): ((variables: Variables) => boolean) | undefined {
  const selections = rootOf(document)?.selections ?? []
  if (selections.some((selection) => (selection.directives ?? []).length === 0)) return undefined
  return (variables) => selections.some((selection) => isIncluded(selection, variables))
}

export interface AskedEntity {
  readonly alias: string
  /** Undefined is any. */
  readonly type: string | undefined
  readonly possibleTypes: PossibleTypes
}

/** Whether conditions were left in the document for the subgraph to decide. */
export function hasConditions(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    Directive() {
      found = true
    },
  })
  return found
}

/** The response keys that a fetch asks for, at its root or of one entity of a type; with all variables, or these. */
export function askedKeys(document: DocumentNode, variables?: Variables, entity?: AskedEntity): string[] {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const keys = new Set<string>()

  const walk = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (variables !== undefined && !isIncluded(selection, variables)) continue
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== '__typename') keys.add((selection.alias ?? selection.name).value)
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
      if ((selection.alias ?? selection.name).value === entity.alias) walk(selection.selectionSet)
    }
  }
  return [...keys]
}
