/**
 * The defaults of arguments and input fields, as the gateway writes them. graphql-js rounds some numbers, and cannot
 * print a list or an object of a custom scalar.
 */
import {
  type ASTNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  type IntrospectionInputValue,
  type IntrospectionQuery,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  parseConstValue,
  print,
  printSchema,
  visit,
} from 'graphql'

type Input = GraphQLArgument | GraphQLInputField

const texts = new WeakMap<object, string>()

/** Undefined if it has none, as fields of objects. */
export const defaultOf = (input: object): string | undefined => texts.get(input)

/** Keeps the defaults of a schema that was made from this introspection. In the schema itself they become null. */
export function noteDefaults(
  schema: GraphQLSchema,
  { __schema: { types, directives } }: IntrospectionQuery,
): void {
  const note = (told: readonly IntrospectionInputValue[], owner: string, field = ''): void => {
    const inputs = inputsOf(schema, owner, field)
    for (const { name, defaultValue } of told) {
      const input = inputs.find((each) => each.name === name)
      if (input === undefined || typeof defaultValue !== 'string') continue
      texts.set(input, defaultValue)
      input.defaultValue = null
    }
  }
  for (const type of types) {
    // graphql-js has these once for all schemas.
    if (type.name.startsWith('__')) continue
    if (type.kind === 'INPUT_OBJECT') note(type.inputFields, type.name)
    if (type.kind === 'OBJECT' || type.kind === 'INTERFACE')
      for (const { name, args } of type.fields) note(args, type.name, name)
  }
  for (const { name, args } of directives) note(args, `@${name}`)
}

/** The inputs of a directive (`@name`), of an input type, or of a field of another type. */
function inputsOf(schema: GraphQLSchema, owner: string, field: string): readonly Input[] {
  if (owner.startsWith('@')) return schema.getDirective(owner.slice(1))?.args ?? []
  const type = schema.getType(owner)
  if (isInputObjectType(type)) return Object.values(type.getFields())
  return isObjectType(type) || isInterfaceType(type) ? (type.getFields()[field]?.args ?? []) : []
}

/** The schema as SDL. */
export function sdlOf(schema: GraphQLSchema): string {
  const document = visit(parse(printSchema(schema), { noLocation: true }), {
    InputValueDefinition(node, _key, _parent, _path, ancestors) {
      const [owner = '', field = ''] = ancestors.flatMap(nameOfDefinition)
      const input = inputsOf(schema, owner, field).find(({ name }) => name === node.name.value)
      const text = input && defaultOf(input)
      return text === undefined ? undefined : { ...node, defaultValue: parseConstValue(text) }
    },
  })
  return `${print(document)}\n`
}

function nameOfDefinition(node: ASTNode | readonly ASTNode[]): readonly string[] {
  if (!('kind' in node) || !('name' in node) || node.name === undefined) return []
  return [node.kind === Kind.DIRECTIVE_DEFINITION ? `@${node.name.value}` : node.name.value]
}
