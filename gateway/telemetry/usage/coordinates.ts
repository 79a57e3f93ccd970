/**
 * The elements of a schema that an operation uses, as coordinates: fields, arguments, input fields, enum values, types
 * and directives. They contain no value of a client.
 *
 * Three coordinates are our own additions to those of the GraphQL specification: `$Type` is a type of a variable, whose
 * value is not known; a minus after an argument or an input field says that it was left out once.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  type ObjectFieldNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** The most coordinates that one operation reports. */
export const mostCoordinates = 5000

export const leftOut = (coordinate: string): string => `${coordinate}-`
export const variableOf = (type: string): string => `$${type}`

/** Sorted, without duplicates. */
export function coordinatesOf(
  document: DocumentNode,
  name: string | undefined,
  schema: GraphQLSchema,
): readonly string[] {
  const part = partOf(document, name)
  if (part === undefined) return []
  const found = new Set<string>()
  const info = new TypeInfo(schema)
  const note = (coordinate: string): void => {
    if (found.size < mostCoordinates) found.add(coordinate)
  }
  const noteMembers = <Member extends { readonly name: string }>(
    members: readonly Member[],
    given: readonly (ArgumentNode | ObjectFieldNode)[] = [],
    isRequired: (member: Member) => boolean,
    coordinateOf: (name: string) => string,
  ): void => {
    const names = new Set(given.map(({ name }) => name.value))
    for (const member of members) {
      const coordinate = coordinateOf(member.name)
      if (names.has(member.name)) note(coordinate)
      else if (!isRequired(member)) note(leftOut(coordinate))
    }
  }
  visit(
    part,
    visitWithTypeInfo(info, {
      Field(node) {
        const [parent, definition] = [info.getParentType(), info.getFieldDef()]
        if (parent == null || definition == null || definition.name.startsWith('__')) return
        const coordinate = `${parent.name}.${definition.name}`
        note(coordinate)
        noteMembers(definition.args, node.arguments, isRequiredArgument, (name) => `${coordinate}(${name}:)`)
      },
      VariableDefinition({ type }) {
        let inner = type
        while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type
        note(variableOf(inner.name.value))
      },
      InlineFragment({ typeCondition }) {
        if (typeCondition !== undefined) note(typeCondition.name.value)
      },
      FragmentDefinition: ({ typeCondition }) => note(typeCondition.name.value),
      Directive(node) {
        const directive = info.getDirective()
        if (directive == null) return
        note(`@${directive.name}`)
        const { name, args } = directive
        noteMembers(args, node.arguments, isRequiredArgument, (each) => `@${name}(${each}:)`)
      },
      EnumValue({ value }) {
        const type = getNamedType(info.getInputType())
        if (type != null) note(`${type.name}.${value}`)
      },
      ObjectValue(node) {
        const type = getNamedType(info.getInputType())
        if (!isInputObjectType(type)) return
        const fields = Object.values(type.getFields())
        noteMembers(fields, node.fields, isRequiredInputField, (name) => `${type.name}.${name}`)
        note(type.name)
      },
    }),
  )
  return [...found].sort()
}

/** The operation with the fragments that it uses: other operations of the document, and theirs, do not count. */
function partOf({ kind, definitions }: DocumentNode, name = ''): DocumentNode | undefined {
  const own = definitions.filter(
    (node) => node.kind !== Kind.OPERATION_DEFINITION || (node.name?.value ?? '') === name,
  )
  return separateOperations({ kind, definitions: own })[name]
}

/** The deprecated elements of the schema, by coordinate, with the reason. */
export function deprecatedIn(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const note = (
    coordinate: string,
    { deprecationReason }: { readonly deprecationReason?: string | null | undefined },
  ): void => {
    if (deprecationReason != null) found[coordinate] = deprecationReason
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value)
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field)
      for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name}:)`, argument)
    }
  }
  return found
}
