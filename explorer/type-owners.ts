/** Which services own the types and fields that clients see, for the page's map of types. Pure. */
import type { GraphQLSchema } from 'graphql'
import type { Supergraph } from '../engine/supergraph/index.ts'
import { ownersOf } from '../engine/supergraph/owners.ts'
import { fieldsOf } from '../shared/graphql/fields.ts'

export interface TypeOwners {
  /** By the name of the type. */
  readonly types: Readonly<Record<string, readonly string[]>>
  /** By `Type.field`, only for fields whose owners differ from those of the type. */
  readonly fields: Readonly<Record<string, readonly string[]>>
}

/** `schema` is what clients see. */
export function typeOwners(
  supergraph: Pick<Supergraph, 'document' | 'subgraphs'>,
  schema: GraphQLSchema,
): TypeOwners {
  const owners = ownersOf(supergraph)
  const types: Record<string, readonly string[]> = {}
  const fields: Record<string, readonly string[]> = {}
  for (const type of Object.values(schema.getTypeMap())) {
    const ofType = owners.type(type.name)
    if (ofType.length === 0) continue
    types[type.name] = ofType
    for (const field of Object.keys(fieldsOf(type))) {
      const ofField = owners.field(type.name, field)
      if (ofField.join() !== ofType.join()) fields[`${type.name}.${field}`] = ofField
    }
  }
  return { types, fields }
}
