/**
 * The fields of an operation, as the filter needs them. A fragment's fields depend on its own type condition and on
 * nothing around it, so every written field has one parent type, wherever its fragment is spread.
 */
import { type GraphQLSchema, isAbstractType, isNonNullType } from 'graphql'
import type { NormalisedField, NormalisedOperation } from '../../../engine/operation/normalised.ts'
import { definitionOf, isMetaField, type TypeSource, typesOf } from '../../../engine/operation/type-source.ts'

export interface FieldSite {
  readonly field: NormalisedField
  readonly parentIsAbstract: boolean
  /** `__typename`, `__schema` or `__type`: never refused. */
  readonly meta: boolean
  /** Whether a null here removes the object around it, in any possible type. */
  readonly nonNull: boolean
}

export interface FieldSites {
  readonly operation: NormalisedOperation
  readonly sites: ReadonlyMap<NormalisedField, FieldSite>
  readonly types: TypeSource
}

export function findFieldSites(schema: GraphQLSchema, operation: NormalisedOperation): FieldSites {
  const types = typesOf(schema)
  const isNonNull = (type: string, name: string): boolean =>
    isNonNullType(definitionOf(schema, { parent: type, name })?.type)

  const sites = new Map<NormalisedField, FieldSite>()
  for (const field of operation.fields) {
    const { parent, name, output } = field
    if (output === undefined) throw new Error(`${parent} has no field ${name}`)
    const parentIsAbstract = isAbstractType(schema.getType(parent))
    const meta = isMetaField(name)
    sites.set(field, {
      field,
      parentIsAbstract,
      meta,
      nonNull: meta
        ? name !== '__type'
        : isNonNull(parent, name) ||
          (parentIsAbstract && types.possible(parent).names.some((each) => isNonNull(each, name))),
    })
  }
  return { operation, sites, types }
}
