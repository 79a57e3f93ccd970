import { type GraphQLFieldMap, isInterfaceType, isObjectType } from 'graphql'

const none: GraphQLFieldMap<unknown, unknown> = Object.freeze(Object.create(null))

/** The fields of an object type or an interface by name; none of any other type. */
export const fieldsOf = (type: unknown): GraphQLFieldMap<unknown, unknown> =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : none
