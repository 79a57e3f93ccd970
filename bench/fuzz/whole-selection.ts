/**
 * Selections of all fields of a type, down to a depth. Types are distinguished by their members, because the
 * functions of `graphql` would belong to another copy if the packages of the benchmark are installed.
 */
import type { GraphQLArgument, GraphQLField, GraphQLNamedType, GraphQLOutputType } from 'graphql'

export function namedTypeOf(type: GraphQLOutputType): GraphQLNamedType {
  return 'ofType' in type ? namedTypeOf(type.ofType) : type
}

type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>

/** Undefined for a type without fields. */
export function fieldsOf(type: GraphQLOutputType): Fields | undefined {
  const named = namedTypeOf(type)
  if ('getFields' in named) return named.getFields() as Fields
  return 'getTypes' in named ? {} : undefined
}

const isRequired = ({ type, defaultValue }: GraphQLArgument): boolean =>
  String(type).endsWith('!') && defaultValue === undefined

const isList = ({ name }: GraphQLArgument): boolean => name === 'first'

/**
 * Empty for a type without fields. Fields that need arguments, paged lists, and objects below `depth` are left out.
 */
export function wholeSelection(type: GraphQLOutputType, depth: number): string {
  const fields = fieldsOf(type)
  if (fields === undefined) return ''
  const selected = Object.values(fields).flatMap((field) => {
    if (field.args.some((argument) => isRequired(argument) || isList(argument))) return []
    if (fieldsOf(field.type) === undefined) return field.name
    return depth > 1 ? `${field.name} ${wholeSelection(field.type, depth - 1)}` : []
  })
  return `{ ${['__typename', ...selected].join(' ')} }`
}
