/** The innermost type of a written one: `Video` of `[Video!]!`. */
import { Kind, type TypeNode } from 'graphql'

export function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type)
}
