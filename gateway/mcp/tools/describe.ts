/** SDL of types and fields for a model: short descriptions, with the scopes and prices that the served schema tells. */
import {
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  Kind,
  print,
  type TypeDefinitionNode,
  visit,
} from 'graphql'
import { aboutOf } from './search.ts'
import { bytesOfToken, tokensIn } from './tool.ts'

export const mostDescribed = 2_000

/**
 * At most 2,000 tokens; what does not fit is named. Coordinates that do not exist are named as well. A type that never
 * fits is shortened if it is the first.
 */
export function describeCoordinates(schema: GraphQLSchema, coordinates: readonly string[]): string {
  const parts: string[] = []
  const missing: string[] = []
  const later: string[] = []
  let free = mostDescribed - 100
  const add = (name: string, text: string): void => {
    const type = parts.length === 0 ? wholeTypeAt(schema, name) : undefined
    const fitting = tokensIn(text) < free || type === undefined ? text : shortened(type, free - 1)
    const size = tokensIn(fitting) + 1
    if (size > free) {
      later.push(name)
      return
    }
    free -= size
    parts.push(fitting)
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
    if (type !== undefined && !shown.has(name)) add(name, typeText(type, schema))
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
  const { typeName, fieldName } = namesIn(coordinate)
  const type = schema.getType(typeName)
  if (type === undefined || isIntrospectionType(type)) return undefined
  if (wholeTypeAt(schema, coordinate) !== undefined) return typeText(type, schema)
  if (fieldName === undefined) return undefined
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined
  const field = type.getFields()[fieldName]
  if (field?.astNode == null) return undefined
  const kind = isInterfaceType(type) ? 'interface' : 'type'
  return `extend ${kind} ${type.name} {\n${commented(field.description, '  ')}  ${bareText(field.astNode)}\n}`
}

/** What follows the name of a field is passed over: the search tells arguments and a type, coordinates an argument. */
function namesIn(coordinate: string): { readonly typeName: string; readonly fieldName: string | undefined } {
  const [names = ''] = coordinate.split(/[(:]/)
  const [typeName = '', fieldName] = names.split('.')
  return { typeName, fieldName }
}

/** The type that a coordinate names: also by a field of an input or a value of an enum, which is told with all of it. */
function wholeTypeAt(schema: GraphQLSchema, coordinate: string): GraphQLNamedType | undefined {
  const { typeName, fieldName } = namesIn(coordinate)
  const type = schema.getType(typeName)
  if (fieldName === undefined) return type
  const isMember =
    (isInputObjectType(type) && type.getFields()[fieldName] !== undefined) ||
    (isEnumType(type) && type.getValue(fieldName) !== undefined)
  return isMember ? type : undefined
}

function inputsOf(schema: GraphQLSchema, coordinates: readonly string[]): readonly string[] {
  return coordinates.flatMap((coordinate) => {
    const { typeName, fieldName } = namesIn(coordinate)
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

function typeText(type: GraphQLNamedType, schema: GraphQLSchema): string {
  const { astNode: node } = type
  if (node == null) return `scalar ${type.name}${noteOf(type.description)}`
  const { description: _, ...head } = node
  switch (head.kind) {
    case Kind.ENUM_TYPE_DEFINITION:
      return `${print({ ...head, values: [] })} { ${(head.values ?? []).map(bareText).join(' ')} }`
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return `${print({ ...head, fields: [] })} {\n${(head.fields ?? []).map((field) => `  ${bareText(field)}`).join('\n')}\n}`
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const types = isInterfaceType(type) ? implementing(type, schema) : ''
      const fields = (head.fields ?? []).map(
        (field) => `  ${bareText(field)}${noteOf(field.description?.value)}`,
      )
      return `${print({ ...head, fields: [] })} {${types}\n${fields.join('\n')}\n}`
    }
    case Kind.SCALAR_TYPE_DEFINITION:
      return `${print(head)}${noteOf(type.description)}`
    case Kind.UNION_TYPE_DEFINITION:
      return print(head)
  }
}

/** As many members of a type as fit, without descriptions, and the names of others. */
function shortened({ astNode }: GraphQLNamedType, tokens: number): string {
  if (astNode == null) return ''
  const { description: _, ...node } = astNode
  const isEnum = node.kind === Kind.ENUM_TYPE_DEFINITION
  const members = isEnum ? (node.values ?? []) : 'fields' in node ? (node.fields ?? []) : []
  const head = print({ ...node, ...(isEnum ? { values: [] } : { fields: [] }) } as TypeDefinitionNode)
  let free = (tokens * bytesOfToken * 3) / 4
  const kept = members.map(bareText).filter((text) => {
    free -= Buffer.byteLength(text) + 3
    return free > 0
  })
  free = (tokens * bytesOfToken) / 4 - Buffer.byteLength(head) - 100
  const others = members.slice(kept.length).map((member) => member.name.value)
  const named = others.filter((other) => {
    free -= other.length + 2
    return free > 0
  })
  const unnamed = others.length - named.length
  const lines = [
    ...kept,
    ...(named.length === 0 ? [] : [`# Not shown: ${named.join(', ')}`]),
    ...(unnamed === 0 ? [] : [`# ${unnamed} more`]),
  ]
  return `# Too long, so without descriptions:\n${head} {\n  ${lines.join('\n  ')}\n}`
}

/** The definition of a field or a value as the schema has it, without the descriptions in it. */
const bareText = (node: FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode): string =>
  print(
    visit(node, {
      enter: (each) => ('description' in each ? { ...each, description: undefined } : undefined),
    }),
  )

function implementing(type: GraphQLInterfaceType, schema: GraphQLSchema): string {
  const names = schema.getPossibleTypes(type).map(({ name }) => name)
  const others = names.length - mostImplementing
  const told = names.slice(0, mostImplementing).join(', ')
  return names.length === 0 ? '' : ` # Implemented by ${told}${others > 0 ? ` and ${others} more` : ''}`
}

const mostImplementing = 50

function noteOf(description: string | null | undefined): string {
  const about = aboutOf(description)
  return about === undefined ? '' : ` # ${about}`
}
