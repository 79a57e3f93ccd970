/**
 * Fields of introspection that graphql answers in a way that clients cannot use, for the API schema and for subgraphs alike.
 */
import {
  __Directive,
  __InputValue,
  DirectiveLocation,
  type GraphQLDirective,
  GraphQLDeprecatedDirective,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  print,
} from 'graphql'

type MetaField = GraphQLField<unknown, unknown>

function fieldOf(type: GraphQLObjectType, name: string): MetaField {
  const field = type.getFields()[name]
  if (field === undefined) throw new Error(`graphql has no ${type.name}.${name}.`)
  return field
}

const defaultValue = fieldOf(__InputValue, 'defaultValue')

/**
 * A default as the schema has it. graphql prints the coerced value instead: it throws at a list or an object of a custom
 * scalar, and at a number that no double holds.
 */
const writtenDefault: MetaField = {
  ...defaultValue,
  resolve(input, ...rest) {
    const { astNode, defaultValue: coerced } = input as GraphQLInputField
    const written = astNode?.defaultValue
    // Directives of graphql itself, and schemas that are made of code, have no text.
    if (astNode == null) return defaultValue.resolve?.(input, ...rest)
    // A default that does not fit its type has no effect.
    return written === undefined || coerced === undefined ? null : print(written)
  },
}

const locations = fieldOf(__Directive, 'locations')

/**
 * The locations without the one that `@deprecated` has since the edition of September 2026: older tools refuse the whole schema
 * for it.
 */
const knownLocations: MetaField = {
  ...locations,
  resolve(source) {
    const directive = source as GraphQLDirective
    if (directive.name !== GraphQLDeprecatedDirective.name) return directive.locations
    return directive.locations.filter((location) => location !== DirectiveLocation.DIRECTIVE_DEFINITION)
  },
}

/** Undefined if graphql's own field is used. */
export function introspectionField(type: GraphQLObjectType, name: string): MetaField | undefined {
  if (type === __InputValue && name === defaultValue.name) return writtenDefault
  return type === __Directive && name === locations.name ? knownLocations : undefined
}
