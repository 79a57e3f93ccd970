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
import { memoByObject } from '../../shared/runtime/memo.ts'

export interface TypeSource {
  /** The possible object types of this type: itself for an object type, none for a leaf or an unknown type. */
  possible(type: string): ReadonlySet<string>
  /** The named type of a field's values. Undefined if the type has no such field. */
  output(type: string, field: string): string | undefined
  /** Whether the declaration of `type` says that all of its objects are also of the type `other`. */
  isDeclared(type: string, other: string): boolean
}

const nothing: ReadonlySet<string> = new Set()

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
  const type = schema.getType(parent)
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
}

/** The types of a schema, computed once for each. */
export const typesOf = memoByObject((schema: GraphQLSchema): TypeSource => {
  const known = new Map<string, ReadonlySet<string>>()
  return {
    possible(name) {
      let possible = known.get(name)
      if (possible === undefined) {
        const type = schema.getType(name)
        if (isAbstractType(type)) possible = new Set(schema.getPossibleTypes(type).map((each) => each.name))
        else possible = isObjectType(type) ? new Set([name]) : nothing
        known.set(name, possible)
      }
      return possible
    },
    output(name, field) {
      const meta = metaFields.get(field)
      if (meta !== undefined) return meta
      const definition = definitionOf(schema, { parent: name, name: field })
      return definition === undefined ? undefined : getNamedType(definition.type).name
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
