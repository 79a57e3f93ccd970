/**
 * Finds uses of one schema that another schema breaks, from the coordinates that `telemetry/usage/` records. It errs
 * on the side of a break: the values of variables are unknown, so a variable may have any value of its type.
 */
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'

export interface Break {
  readonly coordinate: string
  /** What is wrong, as a phrase after the coordinate: `was removed`. */
  readonly what: string
}

/** The break of one use of a coordinate. Undefined if it remains valid. */
export type FindBreak = (coordinate: string) => Break | undefined

export function createBreakFinder(before: GraphQLSchema, after: GraphQLSchema): FindBreak {
  const found = new Map<string, Break | undefined>()
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
    return argumentBreak(
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

function argumentBreak(
  old: GraphQLArgument | undefined,
  next: GraphQLArgument | undefined,
  isLeftOut: boolean,
): string | undefined {
  // A removed field is reported for the field.
  if (old === undefined) return undefined
  if (isLeftOut) return next !== undefined && isRequiredArgument(next) ? 'has become required' : undefined
  if (next === undefined) return 'was removed'
  return takesAll(old.type, next.type) ? undefined : `takes ${next.type} instead of ${old.type}`
}

function newRequired(
  old: readonly GraphQLArgument[] = [],
  next: readonly GraphQLArgument[] = [],
): string | undefined {
  const added = next.find(
    (argument) => isRequiredArgument(argument) && !old.some(({ name }) => name === argument.name),
  )
  return added === undefined ? undefined : `requires the new argument ${added.name}`
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
    return inputFieldBreak(
      old.getFields()[member],
      isInputObjectType(next) ? next.getFields()[member] : undefined,
      isLeftOut,
    )
  const was = fieldOf(before, type, member)
  const is = fieldOf(after, type, member)
  if (was === undefined) return undefined
  if (is === undefined) return 'was removed'
  if (!givesAll(was.type, is.type)) return `is of ${is.type} instead of ${was.type}`
  return newRequired(was.args, is.args)
}

function inputFieldBreak(
  old: GraphQLInputField | undefined,
  next: GraphQLInputField | undefined,
  isLeftOut: boolean,
): string | undefined {
  if (old === undefined) return undefined
  if (isLeftOut) return next !== undefined && isRequiredInputField(next) ? 'has become required' : undefined
  if (next === undefined) return 'was removed'
  return takesAll(old.type, next.type) ? undefined : `takes ${next.type} instead of ${old.type}`
}

/** A type that is a fragment's type condition, or an input object in a document. */
function typeBreak(before: GraphQLSchema, after: GraphQLSchema, name: string): string | undefined {
  const old = before.getType(name)
  const next = after.getType(name)
  if (old === undefined) return undefined
  if (next === undefined) return 'was removed'
  if (old.constructor !== next.constructor) return 'is another kind of type'
  if (isInputObjectType(old) && isInputObjectType(next)) {
    const added = Object.values(next.getFields()).find(
      (field) => isRequiredInputField(field) && old.getFields()[field.name] === undefined,
    )
    return added === undefined ? undefined : `requires the new field ${added.name}`
  }
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
    const wrong = inputFieldBreak(field, other, false) ?? inputFieldBreak(field, other, true)
    if (wrong !== undefined) return `may have the field ${field.name} in a variable, which ${wrong}`
    const inner = getNamedType(field.type).name
    const below = variableBreak(before, after, inner, seen)
    if (below !== undefined) return `holds ${inner}, which ${below}`
  }
  return undefined
}

/** Whether all values of the old input type are valid for the new one. */
function takesAll(old: GraphQLInputType, next: GraphQLInputType): boolean {
  if (isNonNullType(next)) return isNonNullType(old) && takesAll(old.ofType, next.ofType)
  if (isNonNullType(old)) return takesAll(old.ofType, next)
  if (isListType(old)) return isListType(next) && takesAll(old.ofType, next.ofType)
  return !isListType(next) && isSame(getNamedType(old), getNamedType(next))
}

/** Whether a client that reads the old output type can read the new one. */
function givesAll(old: GraphQLOutputType, next: GraphQLOutputType): boolean {
  if (isNonNullType(old)) return isNonNullType(next) && givesAll(old.ofType, next.ofType)
  if (isNonNullType(next)) return givesAll(old, next.ofType)
  if (isListType(old)) return isListType(next) && givesAll(old.ofType, next.ofType)
  return !isListType(next) && isSame(getNamedType(old), getNamedType(next))
}

/** A type that has another kind is another type, even with the same name. */
const isSame = (old: GraphQLNamedType, next: GraphQLNamedType): boolean =>
  old.name === next.name && old.constructor === next.constructor
