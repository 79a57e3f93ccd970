/**
 * `__InputValue.defaultValue` as the schema has it. graphql prints the coerced value instead: it throws at a list or an
 * object of a custom scalar, and at a number that no double holds.
 */
import { __InputValue, type GraphQLField, type GraphQLInputField, print } from 'graphql'

const { defaultValue } = __InputValue.getFields()
if (defaultValue === undefined) throw new Error('graphql has no __InputValue.defaultValue.')
const { resolve: printed } = defaultValue

export const writtenDefault: GraphQLField<unknown, unknown> = {
  ...defaultValue,
  resolve(input, ...rest) {
    const { astNode } = input as GraphQLInputField
    // Directives of graphql itself, and schemas that are made of code, have no text.
    if (astNode == null) return printed?.(input, ...rest)
    return astNode.defaultValue === undefined ? null : print(astNode.defaultValue)
  },
}
