/** SDL of types and fields for a model: short descriptions, with the scopes and prices that the served schema tells. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { aboutOf } from './search.ts'
import { tokensIn } from './tool.ts'

export const mostDescribed = 2_000

/** At most 2,000 tokens; what does not fit is named. Coordinates that do not exist are named as well. */
export function describeCoordinates(schema: GraphQLSchema, coordinates: readonly string[]): string {
  const parts: string[] = []
  const missing: string[] = []
  const later: string[] = []
  let free = mostDescribed - 100
  const add = (name: string, text: string): void => {
    const size = tokensIn(text) + 1
    if (size > free) {
      later.push(name)
      return
    }
    free -= size
    parts.push(text)
  }
  const shown = new Set<string>()
  for (const coordinate of coordinates) {
    const text = textOf(schema, coordinate)
    if (text === undefined) missing.push(coordinate)
    else if (!shown.has(coordinate)) add(coordinate, text)
    shown.add(coordinate)
  }
  // What a field's arguments need is asked for next.
  for (const name of inputsOf(schema, coordinates)) {
    const type = schema.getType(name)
    if (type !== undefined && !shown.has(name)) add(name, typeText(type))
    shown.add(name)
  }
  if (later.length > 0) parts.push(`# Too long for this answer: ${later.slice(0, 20).join(', ')}`)
  if (missing.length > 0) parts.push(`# Not in the schema: ${missing.slice(0, 20).join(', ')}`)
  return parts.join('\n')
}

/** Whether there is something of this name that can be described. */
export const isInSchema = (schema: GraphQLSchema, coordinate: string): boolean =>
  textOf(schema, coordinate) !== undefined

function textOf(schema: GraphQLSchema, coordinate: string): string | undefined {
  const [typeName = '', fieldName] = coordinate.split('.')
  const type = schema.getType(typeName)
  if (type === undefined || isIntrospectionType(type)) return undefined
  if (fieldName === undefined) return typeText(type)
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined
  const field = type.getFields()[fieldName]
  return field === undefined
    ? undefined
    : `extend type ${type.name} {\n${commented(field.description, '  ')}  ${fieldText(field)}\n}`
}

function inputsOf(schema: GraphQLSchema, coordinates: readonly string[]): readonly string[] {
  return coordinates.flatMap((coordinate) => {
    const [typeName = '', fieldName] = coordinate.split('.')
    const type = schema.getType(typeName)
    if (fieldName === undefined || (!isObjectType(type) && !isInterfaceType(type))) return []
    return (type.getFields()[fieldName]?.args ?? []).flatMap(({ type: given }) => {
      const named = getNamedType(given)
      return isInputObjectType(named) || isEnumType(named) ? [named.name] : []
    })
  })
}

/** The whole description, on one line. */
const commented = (description: string | null | undefined, indent: string): string =>
  description == null || description === ''
    ? ''
    : `${indent}# ${description.replaceAll(/\s+/g, ' ').slice(0, 600)}\n`

const argumentText = ({ name, type }: GraphQLArgument): string => `${name}: ${type}`

function fieldText({ name, args, type }: GraphQLField<unknown, unknown>): string {
  return `${name}${args.length === 0 ? '' : `(${args.map(argumentText).join(', ')})`}: ${type}`
}

function typeText(type: GraphQLNamedType): string {
  if (isEnumType(type))
    return `enum ${type.name} { ${type
      .getValues()
      .map(({ name }) => name)
      .join(' ')} }`
  if (isUnionType(type))
    return `union ${type.name} = ${type
      .getTypes()
      .map(({ name }) => name)
      .join(' | ')}`
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(({ name, type: of }) => `  ${name}: ${of}`)
    return `input ${type.name} {\n${fields.join('\n')}\n}`
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return `scalar ${type.name}${noteOf(type.description)}`
  const kind = isInterfaceType(type) ? 'interface' : 'type'
  const fields = Object.values(type.getFields()).map(
    (field) => `  ${fieldText(field)}${noteOf(field.description)}`,
  )
  return `${kind} ${type.name} {\n${fields.join('\n')}\n}`
}

function noteOf(description: string | null | undefined): string {
  const about = aboutOf(description)
  return about === undefined ? '' : ` # ${about}`
}
