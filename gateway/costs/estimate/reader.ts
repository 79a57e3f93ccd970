/**
 * Reads the selections of one operation with its variables: the selected fields, and the arguments that decide about
 * calls. It notes the variables that it read, because an estimate is the same for all values of the others.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromAST,
} from 'graphql'
import { conditionsOf, holds } from '../../../shared/graphql/conditions.ts'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'
import type { FieldArguments } from '../../../shared/service-calls.ts'

/** A field, and its parent type. */
export interface SelectedField {
  readonly node: FieldNode
  readonly owner: GraphQLCompositeType
}

export interface Reader {
  /** The fields of a selection on objects of `type`, including those of every fragment that may apply. */
  fieldsOf(set: SelectionSetNode | undefined, type: GraphQLCompositeType): SelectedField[]
  /** Their names. */
  namesOf(set: SelectionSetNode | undefined, type: GraphQLCompositeType): Set<string>
  /** The arguments with these names. */
  argumentsOf(
    node: FieldNode,
    field: GraphQLField<unknown, unknown>,
    names: readonly string[],
  ): FieldArguments
  /** The part of a selection that applies to objects of one type. */
  narrowedTo(set: SelectionSetNode | undefined, type: GraphQLCompositeType): SelectionSetNode
  /** The variables that were read. */
  readonly variablesRead: ReadonlySet<string>
}

export function createReader(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: FieldArguments,
): Reader {
  const fragments = fragmentsOf(document)
  const variablesRead = new Set<string>()

  function isSelected(node: SelectionNode): boolean {
    const conditions = conditionsOf(node)
    if (conditions === undefined) return false
    for (const { variable } of conditions) variablesRead.add(variable)
    return holds(conditions, variables)
  }

  function note(value: ValueNode): void {
    if (value.kind === Kind.VARIABLE) variablesRead.add(value.name.value)
    else if (value.kind === Kind.LIST) value.values.forEach(note)
    else if (value.kind === Kind.OBJECT) for (const field of value.fields) note(field.value)
  }

  function fieldsOf(set: SelectionSetNode | undefined, type: GraphQLCompositeType): SelectedField[] {
    return (set?.selections ?? []).flatMap((selection): SelectedField[] => {
      if (!isSelected(selection)) return []
      if (selection.kind === Kind.FIELD) return [{ node: selection, owner: type }]
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) return []
      const condition = fragment.typeCondition?.name.value
      const named = condition === undefined ? type : schema.getType(condition)
      return isCompositeType(named) ? fieldsOf(fragment.selectionSet, named) : []
    })
  }

  function keptFor(set: SelectionSetNode, type: GraphQLCompositeType): SelectionNode[] {
    return set.selections.flatMap((selection): SelectionNode[] => {
      if (!isSelected(selection)) return []
      if (selection.kind === Kind.FIELD) return [selection]
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      if (fragment === undefined) return []
      const condition = fragment.typeCondition?.name.value
      const named = condition === undefined ? type : schema.getType(condition)
      const applies =
        named === type || (isInterfaceType(named) && isObjectType(type) && schema.isSubType(named, type))
      return applies ? keptFor(fragment.selectionSet, type) : []
    })
  }

  return {
    variablesRead,
    fieldsOf,
    namesOf: (set, type) => new Set(fieldsOf(set, type).map(({ node }) => node.name.value)),
    argumentsOf(node, { args }, names) {
      const values: Record<string, unknown> = {}
      for (const { name, type, defaultValue } of args) {
        if (!names.includes(name)) continue
        const given: ArgumentNode | undefined = node.arguments?.find((each) => each.name.value === name)
        if (given !== undefined) note(given.value)
        const value = given === undefined ? undefined : valueFromAST(given.value, type, variables)
        values[name] = value === undefined ? defaultValue : value
      }
      return values
    },
    narrowedTo: (set, type) => ({
      kind: Kind.SELECTION_SET,
      selections: set === undefined ? [] : keptFor(set, type),
    }),
  }
}

/** The definition of a selected field; undefined for `__typename` and if the type has none. */
export function definitionOf({ node, owner }: SelectedField): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[node.name.value] : undefined
}

/** The type of a field's objects; undefined if it is a leaf. */
export function objectsOf(field: GraphQLField<unknown, unknown>): GraphQLCompositeType | undefined {
  const inner = getNamedType(field.type)
  return isCompositeType(inner) ? inner : undefined
}
