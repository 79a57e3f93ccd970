/** Values for the variables of an operation, from which its price and the size of its answer are estimated. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'

/** Input types may require each other in more ways than can be written down. The rest stays empty. */
const mostValues = 1_000

/** For each variable that must be given. */
export function sampleVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[] = [],
): Readonly<Record<string, unknown>> {
  const sampler = new Sampler()
  return Object.fromEntries(
    definitions.flatMap(({ variable, type, defaultValue }) =>
      defaultValue !== undefined || type.kind !== Kind.NON_NULL_TYPE
        ? []
        : [[variable.name.value, sampler.of(typeFromAST(schema, type) as GraphQLInputType)]],
    ),
  )
}

class Sampler {
  #left = mostValues
  /** The input objects around the value that is made. */
  readonly #around = new Set<string>()

  of(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return this.of(type.ofType)
    this.#left -= 1
    if (isListType(type)) {
      // Only a list ends a type that requires itself.
      const isEnd = this.#around.has(getNamedType(type).name) || this.#left <= 0
      return isEnd ? [] : [this.of(type.ofType)]
    }
    if (isEnumType(type)) return type.getValues()[0]?.name
    if (!isInputObjectType(type)) return scalars[type.name] ?? '1'
    const value: [string, unknown][] = []
    this.#around.add(type.name)
    for (const field of Object.values(type.getFields())) {
      if (this.#left <= 0) break
      if (isNonNullType(field.type)) value.push([field.name, this.of(field.type)])
    }
    this.#around.delete(type.name)
    return Object.fromEntries(value)
  }
}

const scalars: Readonly<Record<string, unknown>> = {
  Int: 1,
  UnsignedInt: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-01-01T00:00:00Z',
  UInt64: '1',
}
