/**
 * Arguments that a request makes null although they are non-null. A nullable variable may stand at such a place if the
 * place or the variable has a default value, so only its value shows the error. Then the field is not executed, and is
 * null with an error (https://spec.graphql.org/September2025/#CoerceArgumentValues()). Such a field is refused like
 * one that the caller may not see: it is left out of what is fetched.
 */
import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  print,
  type ValueNode,
} from 'graphql'
import { badInput } from '../../shared/errors.ts'
import { readMember } from '../../shared/json/members.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import type { RefusedField } from '../response/index.ts'
import { partOf } from './narrow.ts'
import type { NormalisedField, NormalisedOperation, Selection } from './normalised.ts'
import { definitionOf } from './type-source.ts'
import type { Variables } from './variables.ts'

/** What is fetched of an operation, and which fields are refused. */
export interface OperationPart {
  /** Null if nothing is fetched. */
  readonly allowed: NormalisedOperation | null
  readonly refusals: readonly RefusedField[]
}

/** An argument that must not be null, and becomes invalid if one of the variables is. */
interface Place {
  readonly field: number
  readonly variables: readonly string[]
  readonly message: string
}

class NullArguments {
  readonly #whole: OperationPart
  readonly #places: readonly Place[]
  readonly #names: readonly string[]

  constructor(whole: OperationPart, places: readonly Place[]) {
    this.#whole = whole
    this.#places = places
    this.#names = [...new Set(places.flatMap(({ variables }) => variables))]
  }

  /** Undefined if all arguments are valid. Variables with equal keys make the same arguments invalid. */
  keyOf(variables: Variables): string | undefined {
    const isNull = (name: string): boolean => readMember(variables, name) === null
    return this.#names.some(isNull) ? this.#names.filter(isNull).join(' ') : undefined
  }

  /** The part of the operation without the fields that have an invalid argument. */
  partFor(variables: Variables): OperationPart {
    const { allowed, refusals } = this.#whole
    const refused = this.#refusedBy(variables)
    if (allowed === null || refused.size === 0) return this.#whole
    return { allowed: withoutFields(allowed, refused), refusals: [...refusals, ...refused.values()] }
  }

  /** The errors of all fields that have an invalid argument. */
  errors(variables: Variables): readonly GraphQLError[] {
    return [...this.#refusedBy(variables).values()].map(({ message }) => badInput(message))
  }

  /** The refusals by the ids of their fields. A field has one error, that of its first invalid argument. */
  #refusedBy(variables: Variables): Map<number, RefusedField> {
    const refused = new Map<number, RefusedField>()
    for (const { field, variables: names, message } of this.#places) {
      if (refused.has(field) || names.every((name) => readMember(variables, name) !== null)) continue
      const { extensions } = badInput(message)
      refused.set(field, { field, parentType: '*', message, extensions, onlyInPlace: true })
    }
    return refused
  }
}

/** Undefined if no variable can make an argument invalid, as in nearly every operation. */
export function nullArgumentsOf(schema: GraphQLSchema, whole: OperationPart): NullArguments | undefined {
  const { allowed } = whole
  const nullable = new Set(
    allowed?.variables.flatMap(({ type, variable }) =>
      type.kind === Kind.NON_NULL_TYPE ? [] : variable.name.value,
    ),
  )
  if (allowed === null || nullable.size === 0) return undefined
  const places = allowed.fields.flatMap((field) => placesIn(schema, field, nullable))
  return places.length === 0 ? undefined : new NullArguments(whole, places)
}

function placesIn(schema: GraphQLSchema, field: NormalisedField, nullable: ReadonlySet<string>): Place[] {
  if (field.arguments.length === 0) return []
  const given = new Map(field.arguments.map(({ name, value }) => [name.value, value]))
  return (definitionOf(schema, field)?.args ?? []).flatMap(({ name, type }) => {
    const value = given.get(name)
    if (value === undefined) return []
    const variables = variablesAtNonNull(value, type).filter((each) => nullable.has(each))
    if (variables.length === 0) return []
    const message =
      value.kind === Kind.VARIABLE
        ? `Argument "${name}" of non-null type "${type}" must not be null.`
        : `Argument "${name}" has invalid value ${print(value)}.`
    return [{ field: field.id, variables, message }]
  })
}

/** The names of the variables at non-null places of a value. */
function variablesAtNonNull(value: ValueNode, type: GraphQLInputType): readonly string[] {
  if (value.kind === Kind.VARIABLE) return isNonNullType(type) ? [value.name.value] : []
  const nullable = isNonNullType(type) ? type.ofType : type
  if (isListType(nullable)) {
    const items = value.kind === Kind.LIST ? value.values : [value]
    return items.flatMap((item) => variablesAtNonNull(item, nullable.ofType))
  }
  if (value.kind !== Kind.OBJECT || !isInputObjectType(nullable)) return []
  const fields = nullable.getFields()
  return value.fields.flatMap(({ name, value: inner }) => {
    const field = fields[name.value]
    return field === undefined ? [] : variablesAtNonNull(inner, field.type)
  })
}

/** The operation in which these fields are never selected. The objects around them still are. */
function withoutFields(
  operation: NormalisedOperation,
  fields: ReadonlyMap<number, unknown>,
): NormalisedOperation {
  const known = new Map<NormalisedField, NormalisedField>()
  const without = (selections: readonly Selection[]): readonly Selection[] =>
    selections.map((each) =>
      fields.has(each.field.id) ? { ...each, when: undefined } : { ...each, field: left(each.field) },
    )
  const left = (field: NormalisedField): NormalisedField => {
    const { selections } = field
    if (selections === undefined) return field
    return getOrInsert(known, field, () => ({ ...field, selections: without(selections) }))
  }
  return partOf(operation, without(operation.selections))
}
