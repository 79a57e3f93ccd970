/** Which object types stand behind each name of a supergraph, hidden ones included: plans speak of them. */
import { type DocumentNode, Kind } from 'graphql'

export interface TypeFamilies {
  /** Whether an object of type `typename` fits a type condition; an interface may be an object's type, too. */
  fits(typename: unknown, condition: string): boolean
}

export function typeFamiliesOf(supergraph: DocumentNode): TypeFamilies {
  const members = new Map<string, Set<string>>()
  const add = (family: string, member: string): void => {
    let known = members.get(family)
    if (known === undefined) {
      known = new Set()
      members.set(family, known)
    }
    known.add(member)
  }
  for (const definition of supergraph.definitions) {
    if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
      for (const type of definition.types ?? []) add(definition.name.value, type.name.value)
    } else if (
      definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
      definition.kind === Kind.INTERFACE_TYPE_DEFINITION
    ) {
      for (const type of definition.interfaces ?? []) add(type.name.value, definition.name.value)
    }
  }
  return {
    fits: (typename, condition) =>
      typename === condition ||
      (typeof typename === 'string' && members.get(condition)?.has(typename) === true),
  }
}
