/**
 * The rules of graphql-js for operations. If its rule about unknown fields suggests nothing, the error names the fields
 * of the type that have such a field: `title` of a video is in its `snippet`, and fields of a list are in its `nodes`.
 */
import {
  FieldsOnCorrectTypeRule,
  GraphQLError,
  getNamedType,
  isRequiredArgument,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import { fieldsOf } from './fields.ts'

const mostPlaces = 3

const FieldsOnCorrectType: ValidationRule = (context) => {
  const reportError = (error: GraphQLError): void => {
    const [node] = error.nodes ?? []
    const name = node !== undefined && 'name' in node ? node.name?.value : undefined
    const places =
      name === undefined || context.hideSuggestions || error.message.includes('Did you mean')
        ? []
        : placesOf(name, context.getParentType())
    context.reportError(
      places.length === 0
        ? error
        : new GraphQLError(`${error.message} Did you mean ${places.join(' or ')}?`, {
            nodes: error.nodes ?? null,
          }),
    )
  }
  // The same context for the rule, apart from where it reports.
  return FieldsOnCorrectTypeRule(
    Object.create(context, { reportError: { value: reportError } }) as ValidationContext,
  )
}

/** The fields of a type that can be selected without arguments and have a field of this name. */
function placesOf(name: string, type: ReturnType<ValidationContext['getParentType']>): string[] {
  const places: string[] = []
  for (const field of Object.values(fieldsOf(type))) {
    if (places.length === mostPlaces) break
    const below = fieldsOf(getNamedType(field.type))
    if (below[name] === undefined || field.args.some(isRequiredArgument)) continue
    places.push(`"${field.name} { ${name} }"`)
  }
  return places
}

export const operationRules: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === FieldsOnCorrectTypeRule ? FieldsOnCorrectType : rule,
)
