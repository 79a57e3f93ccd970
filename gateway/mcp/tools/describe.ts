/** Describes types and fields to a model as SDL: short descriptions, with scopes and prices from the served schema. */
import {
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  Kind,
  print,
  type TypeDefinitionNode,
  visit,
} from 'graphql'
import { fieldsOf } from '../../../shared/graphql/fields.ts'
import { summaryOf } from './search.ts'
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
  const shown = new Set<string>()
  let free = mostDescribed - 100
  const add = (name: string, element: SchemaElement): void => {
    if (shown.has(name)) return
    shown.add(name)
    const text = textOf(element, schema)
    const isWhole = tokensIn(text) < free || parts.length > 0 || element.field !== undefined
    const fitting = isWhole ? text : shortened(element.type, free - 1)
    const size = tokensIn(fitting) + 1
    if (size > free) {
      later.push(name)
      return
    }
    free -= size
    parts.push(fitting)
  }
  const found = coordinates.map((coordinate) => elementAt(schema, coordinate))
  for (const [n, coordinate] of coordinates.entries()) {
    const element = found[n]
    if (element === undefined) missing.push(coordinate)
    else add(coordinate, element)
  }
  // What a field's arguments need is asked for next.
  for (const { type } of found.flatMap((element) => element?.field?.args ?? [])) {
    const named = getNamedType(type)
    if (isInputObjectType(named) || isEnumType(named)) add(named.name, { type: named })
  }
  if (later.length > 0) parts.push(`# Too long for this answer: ${later.slice(0, 20).join(', ')}`)
  if (missing.length > 0)
    parts.push(`# Not in the schema: ${missing.slice(0, 20).join(', ')}. search_schema finds names.`)
  return parts.join('\n')
}

export const isInSchema = (schema: GraphQLSchema, coordinate: string): boolean =>
  elementAt(schema, coordinate) !== undefined

/** A type, or a field of an object or an interface. */
interface SchemaElement {
  readonly type: GraphQLNamedType
  readonly field?: GraphQLField<unknown, unknown>
}

/**
 * What a coordinate names. A field of an input or a value of an enum is told with the whole type. What follows the name
 * of a field is passed over: the search tells arguments and a type, coordinates an argument.
 */
function elementAt(schema: GraphQLSchema, coordinate: string): SchemaElement | undefined {
  const [names = ''] = coordinate.split(/[(:]/)
  const [typeName = '', fieldName] = names.split('.')
  const type = schema.getType(typeName)
  if (type === undefined || isIntrospectionType(type)) return undefined
  if (fieldName === undefined) return { type }
  if (isEnumType(type)) return type.getValue(fieldName) == null ? undefined : { type }
  if (isInputObjectType(type)) return type.getFields()[fieldName] === undefined ? undefined : { type }
  const field = fieldsOf(type)[fieldName]
  return field?.astNode == null ? undefined : { type, field }
}

function textOf({ type, field }: SchemaElement, schema: GraphQLSchema): string {
  if (field?.astNode == null) return typeText(type, schema)
  const kind = isInterfaceType(type) ? 'interface' : 'type'
  return `extend ${kind} ${type.name} {\n${commented(field.description, '  ')}  ${bareText(field.astNode)}\n}`
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
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const types = isInterfaceType(type) ? implementing(type, schema) : ''
      const isInput = head.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
      const fields = (head.fields ?? []).map(
        (field) => `  ${bareText(field)}${isInput ? '' : noteOf(field.description?.value)}`,
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
  const about = summaryOf(description)
  return about === undefined ? '' : ` # ${about}`
}
