/** What the normalisation of an operation needs to know about a schema. */
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { fieldsOf } from '../../shared/graphql/fields.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import type { TypeSet } from './type-sets.ts'

/** A set of object types, sorted by name. */
export type ObjectTypes = Pick<TypeSet, 'names' | 'has'>

export interface TypeSource {
  /** The possible object types of this type: itself for an object type, none for a leaf or an unknown type. */
  possible(type: string): ObjectTypes
  /** The named type of a field's values. Undefined if the type has no such field. */
  output(type: string, field: string): string | undefined
}

interface SchemaTypes extends TypeSource {
  /** Whether the declaration of `type` says that all of its objects are also of the type `other`. */
  isDeclared(type: string, other: string): boolean
}

export const noTypes: ObjectTypes = { names: [], has: () => false }

/** The types of `some` that are in `others`. */
export function narrowed(some: ObjectTypes, others: ObjectTypes): ObjectTypes {
  const names = some.names.filter((name) => others.has(name))
  return names.length === some.names.length ? some : objectTypes(names)
}

function objectTypes(names: readonly string[]): ObjectTypes {
  const [only, ...more] = names
  if (more.length === 0) return only === undefined ? noTypes : { names, has: (name) => name === only }
  const members = new Set(names)
  return { names, has: (name) => members.has(name) }
}

const metaFields = new Map(
  [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].map(({ name, type }) => [
    name,
    getNamedType(type).name,
  ]),
)

/** Whether it is `__typename`, `__schema` or `__type`. */
export const isMetaField = (name: string): boolean => metaFields.has(name)

/** The definition of a field. Undefined for meta fields, and if the type has no such field. */
export function definitionOf(
  schema: GraphQLSchema,
  { parent, name }: { readonly parent: string; readonly name: string },
): GraphQLField<unknown, unknown> | undefined {
  return fieldsOf(schema.getType(parent))[name]
}

/** The types of a schema, computed once for each. */
export const typesOf = memoByObject((schema: GraphQLSchema): SchemaTypes => {
  const known = new Map<string, ObjectTypes>()
  const outputs = new Map<string, Map<string, string>>()
  return {
    possible(name) {
      let possible = known.get(name)
      if (possible !== undefined) return possible
      const type = schema.getType(name)
      if (type === undefined) return noTypes
      if (isAbstractType(type))
        possible = objectTypes(
          schema
            .getPossibleTypes(type)
            .map((each) => each.name)
            .sort(),
        )
      else possible = isObjectType(type) ? objectTypes([name]) : noTypes
      known.set(name, possible)
      return possible
    },
    output(name, field) {
      const output = metaFields.get(field) ?? outputs.get(name)?.get(field)
      if (output !== undefined) return output
      const definition = definitionOf(schema, { parent: name, name: field })
      if (definition === undefined) return undefined
      const found = getNamedType(definition.type).name
      getOrInsert(outputs, name, () => new Map()).set(field, found)
      return found
    },
    isDeclared(name, other) {
      if (name === other) return true
      const type = schema.getType(name)
      const wider = schema.getType(other)
      return isAbstractType(wider) && (isObjectType(type) || isInterfaceType(type))
        ? schema.isSubType(wider, type)
        : false
    },
  }
})
