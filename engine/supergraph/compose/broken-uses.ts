/**
 * Finds uses of one schema that another schema breaks, from the coordinates that `telemetry/usage/` records. If in
 * doubt it reports one: the values of variables are unknown, so a variable may have any value of its type.
 */
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument as isRequired,
} from 'graphql'

export interface BrokenUse {
  readonly coordinate: string
  /** What is wrong, as a phrase after the coordinate: `was removed`. */
  readonly what: string
}

type Input = GraphQLArgument | GraphQLInputField

/** The break of one use of a coordinate. Undefined if it remains valid. */
type FindBrokenUse = (coordinate: string) => BrokenUse | undefined

export function createBrokenUseFinder(before: GraphQLSchema, after: GraphQLSchema): FindBrokenUse {
  const found = new Map<string, BrokenUse | undefined>()
  return (coordinate) => {
    if (!found.has(coordinate)) {
      const what = whatBreaks(before, after, coordinate)
      found.set(coordinate, what === undefined ? undefined : { coordinate, what })
    }
    return found.get(coordinate)
  }
}

const argumentForm = /^(@?\w+(?:\.\w+)?)\((\w+):\)(-?)$/
const memberForm = /^(\w+)\.(\w+)(-?)$/

function whatBreaks(before: GraphQLSchema, after: GraphQLSchema, coordinate: string): string | undefined {
  const [, owner, argument, omitted] = argumentForm.exec(coordinate) ?? []
  if (owner !== undefined && argument !== undefined)
    return inputBreak(
      argumentsOf(before, owner)?.find(({ name }) => name === argument),
      argumentsOf(after, owner)?.find(({ name }) => name === argument),
      omitted === '-',
    )
  if (coordinate.startsWith('@'))
    return after.getDirective(coordinate.slice(1)) == null
      ? 'was removed'
      : newRequired(argumentsOf(before, coordinate), argumentsOf(after, coordinate))
  if (coordinate.startsWith('$')) return variableBreak(before, after, coordinate.slice(1), new Set())
  const [, type, member, left] = memberForm.exec(coordinate) ?? []
  return type === undefined || member === undefined
    ? typeBreak(before, after, coordinate)
    : memberBreak(before, after, type, member, left === '-')
}

function argumentsOf(schema: GraphQLSchema, owner: string): readonly GraphQLArgument[] | undefined {
  if (owner.startsWith('@')) return schema.getDirective(owner.slice(1))?.args
  const [type = '', field = ''] = owner.split('.')
  return fieldOf(schema, type, field)?.args
}

function fieldOf(schema: GraphQLSchema, name: string, field: string) {
  const type = schema.getType(name)
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[field] : undefined
}

/** An argument, or a field of an input object. */
function inputBreak(old: Input | undefined, next: Input | undefined, isLeftOut: boolean): string | undefined {
  // A removed field is reported for the field.
  if (old === undefined) return undefined
  if (isLeftOut) return next !== undefined && isRequired(next) ? 'has become required' : undefined
  if (next === undefined) return 'was removed'
  return isWithin(old.type, next.type) ? undefined : `takes ${next.type} instead of ${old.type}`
}

function newRequired(
  old: readonly Input[] = [],
  next: readonly Input[] = [],
  kind: 'argument' | 'field' = 'argument',
): string | undefined {
  const added = next.find((input) => isRequired(input) && !old.some(({ name }) => name === input.name))
  return added === undefined ? undefined : `requires the new ${kind} ${added.name}`
}

function memberBreak(
  before: GraphQLSchema,
  after: GraphQLSchema,
  type: string,
  member: string,
  isLeftOut: boolean,
): string | undefined {
  const old = before.getType(type)
  const next = after.getType(type)
  if (isEnumType(old)) return isEnumType(next) && next.getValue(member) != null ? undefined : 'was removed'
  if (isInputObjectType(old))
    return inputBreak(
      old.getFields()[member],
      isInputObjectType(next) ? next.getFields()[member] : undefined,
      isLeftOut,
    )
  const was = fieldOf(before, type, member)
  const is = fieldOf(after, type, member)
  if (was === undefined) return undefined
  if (is === undefined) return 'was removed'
  // A client must be able to read every new value as an old one.
  if (!isWithin(is.type, was.type)) return `is of ${is.type} instead of ${was.type}`
  return newRequired(was.args, is.args)
}

/** A type that is a fragment's type condition, or an input object in a document. */
function typeBreak(before: GraphQLSchema, after: GraphQLSchema, name: string): string | undefined {
  const old = before.getType(name)
  const next = after.getType(name)
  if (old === undefined) return undefined
  if (next === undefined) return 'was removed'
  if (old.constructor !== next.constructor) return 'is another kind of type'
  if (isInputObjectType(old) && isInputObjectType(next))
    return newRequired(Object.values(old.getFields()), Object.values(next.getFields()), 'field')
  const possible = (schema: GraphQLSchema): Set<string> => {
    const type = schema.getType(name)
    const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType)
    const above = abstract.filter((each) => isObjectType(type) && schema.isSubType(each, type))
    const below = isAbstractType(type) ? schema.getPossibleTypes(type) : []
    return new Set([...above, ...below].map((each) => each.name))
  }
  const still = possible(after)
  const lost = [...possible(before)].find((each) => !still.has(each) && after.getType(each) !== undefined)
  return lost === undefined ? undefined : `is no longer related to ${lost}`
}

/** Checks every value that a variable of the type may have. */
function variableBreak(
  before: GraphQLSchema,
  after: GraphQLSchema,
  name: string,
  seen: Set<string>,
): string | undefined {
  if (seen.has(name)) return undefined
  seen.add(name)
  const [old, next] = [before.getType(name), after.getType(name)]
  if (old === undefined) return undefined
  if (next === undefined) return 'was removed'
  if (old.constructor !== next.constructor) return 'is another kind of type'
  if (isEnumType(old) && isEnumType(next)) {
    const lost = old.getValues().find((value) => next.getValue(value.name) == null)
    return lost === undefined ? undefined : `has lost the value ${lost.name}, which a variable may hold`
  }
  if (!isInputObjectType(old) || !isInputObjectType(next)) return undefined
  const required = typeBreak(before, after, name)
  if (required !== undefined) return required
  for (const field of Object.values(old.getFields())) {
    const other = next.getFields()[field.name]
    const wrong = inputBreak(field, other, false) ?? inputBreak(field, other, true)
    if (wrong !== undefined) return `may have the field ${field.name} in a variable, which ${wrong}`
    const inner = getNamedType(field.type).name
    const below = variableBreak(before, after, inner, seen)
    if (below !== undefined) return `holds ${inner}, which ${below}`
  }
  return undefined
}

/** Whether all values of the type are values of the other one. */
function isWithin(type: GraphQLType, other: GraphQLType): boolean {
  if (isNonNullType(other)) return isNonNullType(type) && isWithin(type.ofType, other.ofType)
  if (isNonNullType(type)) return isWithin(type.ofType, other)
  if (isListType(type)) return isListType(other) && isWithin(type.ofType, other.ofType)
  return !isListType(other) && isSame(getNamedType(type), getNamedType(other))
}

/** A type that has another kind is another type, even with the same name. */
const isSame = (old: GraphQLNamedType, next: GraphQLNamedType): boolean =>
  old.name === next.name && old.constructor === next.constructor
