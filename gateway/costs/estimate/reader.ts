/**
 * Reads the selections of one operation with its variables: the selected fields, and the arguments that decide about
 * calls. It notes the variables that it read, because an estimate is the same for all values of the others.
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type ValueNode,
  valueFromAST,
} from 'graphql'
import type { NormalisedField, Selection } from '../../../engine/operation/normalised.ts'
import { definitionOf } from '../../../engine/operation/type-source.ts'
import { holds } from '../../../shared/graphql/conditions.ts'
import type { FieldArguments } from '../../../shared/service-calls.ts'

/** What is selected of objects: of one type only, if `only` is given. */
export interface Selected {
  readonly selections: readonly Selection[] | undefined
  readonly only?: GraphQLObjectType | undefined
}

/** A field, the type of the object that has it, and its definition; none for `__typename`. */
export interface SelectedField {
  readonly field: NormalisedField
  readonly owner: string
  readonly definition: GraphQLField<unknown, unknown> | undefined
}

export type Reader = ReturnType<typeof createReader>

export function createReader(schema: GraphQLSchema, variables: FieldArguments) {
  const variablesRead = new Set<string>()

  function isSelected({ when }: Selection): boolean {
    if (when === undefined) return false
    for (const { variable } of when.all) variablesRead.add(variable)
    return holds(when.all, variables)
  }

  function note(value: ValueNode): void {
    if (value.kind === 'Variable') variablesRead.add(value.name.value)
    else if (value.kind === 'ListValue') value.values.forEach(note)
    else if (value.kind === 'ObjectValue') for (const field of value.fields) note(field.value)
  }

  /** The fields of a selection, including those of every fragment that may apply. */
  function fieldsOf({ selections = [], only }: Selected): SelectedField[] {
    const fields: SelectedField[] = []
    for (const selection of selections) {
      if (only !== undefined && !selection.types.has(only.name)) continue
      if (!isSelected(selection)) continue
      const { field } = selection
      const owner = only?.name ?? field.parent
      fields.push({ field, owner, definition: definitionOf(schema, { parent: owner, name: field.name }) })
    }
    return fields
  }

  return {
    variablesRead,
    fieldsOf,
    namesOf: (selected: Selected): Set<string> => new Set(fieldsOf(selected).map(({ field }) => field.name)),
    argumentsOf({ field, definition }: SelectedField, names: readonly string[]): FieldArguments {
      const values: Record<string, unknown> = {}
      for (const { name, type, defaultValue } of definition?.args ?? []) {
        if (!names.includes(name)) continue
        const written = field.arguments.find((each) => each.name.value === name)
        if (written !== undefined) note(written.value)
        const value = written === undefined ? undefined : valueFromAST(written.value, type, variables)
        values[name] = value === undefined ? defaultValue : value
      }
      return values
    },
  }
}
