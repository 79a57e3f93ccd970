/** Parts of a normalised operation: fewer selections of fields that keep their ids. */
import { type NormalisedField, type NormalisedOperation, type Selection, withType } from './normalised.ts'
import { narrowed, type TypeSource } from './type-source.ts'

/** The operation with only these selections. */
export function partOf(
  operation: NormalisedOperation,
  selections: readonly Selection[],
): NormalisedOperation {
  const fields = new Set(selections.map(({ field }) => field))
  // The set grows during the walk.
  for (const field of fields) for (const below of field.selections ?? []) fields.add(below.field)
  return { ...operation, selections, fields: [...fields] }
}

/** The operation with only the root fields of this response key. */
export function rootKeyOf(operation: NormalisedOperation, key: string): NormalisedOperation {
  return partOf(
    operation,
    operation.selections.filter(({ field }) => field.key === key),
  )
}

/** `__typename` of objects of this type, added to an operation under a new id. */
export function typenameField(id: number, parent: string): NormalisedField {
  const name = '__typename'
  return {
    ...{ id, key: name, name, parent, around: [], output: 'String', arguments: [], directives: [] },
    ...{ stream: undefined, selections: undefined, selectsDirectly: false, nodes: [] },
  }
}

/** The selection within a fragment on this type. */
export function forType(types: TypeSource, selection: Selection, type: string): Selection {
  return {
    ...selection,
    field: fieldOf(types, selection.field, type),
    on: withType(selection.on, type),
    types: narrowed(selection.types, types.possible(type)),
  }
}

/** The field as this type declares it. The type may narrow the type of the field's values. */
function fieldOf(types: TypeSource, field: NormalisedField, type: string): NormalisedField {
  const output = types.output(type, field.name)
  if (output === undefined || output === field.output) return { ...field, parent: type }
  const possible = types.possible(output)
  const selections = field.selections?.map((each) => ({
    ...each,
    field: each.on.length === 0 ? fieldOf(types, each.field, output) : each.field,
    types: narrowed(each.types, possible),
  }))
  return { ...field, parent: type, output, selections }
}
