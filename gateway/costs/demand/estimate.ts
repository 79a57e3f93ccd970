/**
 * The static estimate of an operation over any schema, by `@cost` and `@listSize`. An operation is read once into a
 * tree of amounts. With the variables of a request it costs one walk over that tree, or none if no variable matters.
 *
 * `cost` is the price as Apollo's demand control reads the directives: each object of the response has the weight of
 * its field or type (1 by default), scalars and enums none, and a mutation begins with 10. `fieldCost` and `typeCost`
 * are the two sums of IBM's specification. Deferred fragments count like all others.
 */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
} from 'graphql'
import type { NormalisedField, NormalisedOperation, Selection } from '../../../engine/operation/normalised.ts'
import { definitionOf } from '../../../engine/operation/type-source.ts'
import { type Condition, holds } from '../../../shared/graphql/conditions.ts'
import { defaultsOf } from '../../../shared/graphql/literals.ts'
import { compileArguments, compileLength, type Length, type Variables } from './arguments.ts'
import type { ListSize, SizedFields, Weights } from './weights.ts'

export interface CostEstimate {
  readonly cost: number
  readonly fieldCost: number
  readonly typeCost: number
  /** Fields that need exactly one of their slicing arguments and have another number of them. */
  readonly unsized: readonly UnsizedField[]
}

interface UnsizedField {
  readonly field: string
  readonly arguments: readonly string[]
  readonly given: number
}

/** `variables` as sent. */
type CostEstimator = (variables: Variables) => CostEstimate

interface EstimatedField {
  readonly conditions: readonly Condition[]
  readonly field: string
  /** For each object or value, as Apollo and as IBM weigh it. */
  readonly weight: number
  readonly typeWeight: number
  /** For resolving it once, without its arguments. */
  readonly fieldWeight: number
  readonly isList: boolean
  readonly length: ((variables: Variables) => Length) | undefined
  readonly slicing: readonly string[]
  /** Whether `length` applies only to lists below it. */
  readonly sizesBelow: boolean
  readonly argumentCost: ((variables: Variables) => number) | undefined
  readonly below: readonly EstimatedField[]
  /** Whether a field around it gives the length of its list. */
  readonly sizedFrom: EstimatedField | undefined
}

/** The weight of the objects or values of a type; for an abstract type the highest of its members. */
export function typeWeight(schema: GraphQLSchema, weights: Weights, type: GraphQLNamedType): number {
  const own = weights.type(type.name)
  if (own !== undefined) return own
  if (!isCompositeType(type)) return 0
  if (!isAbstractType(type)) return 1
  return Math.max(1, ...schema.getPossibleTypes(type).map(({ name }) => weights.type(name) ?? 1))
}

/** The directive on the field; for a field of an interface the highest of the implementing types. */
export function fieldWeight(
  schema: GraphQLSchema,
  weights: Weights,
  owner: GraphQLNamedType,
  field: string,
): number | undefined {
  const own = weights.field(owner.name, field)
  if (own !== undefined || !isInterfaceType(owner)) return own
  const all = schema.getPossibleTypes(owner).map(({ name }) => weights.field(name, field))
  const said = all.filter((weight) => weight !== undefined)
  return said.length === 0 ? undefined : Math.max(...said)
}

/**
 * The directive on the field; for a field of an interface that of an implementing type, as far as the field has its
 * arguments. Without it a list that is requested of the interface would seem as short as one without a size.
 */
function listSizeOf(
  schema: GraphQLSchema,
  weights: Weights,
  owner: GraphQLNamedType,
  { name, args }: GraphQLField<unknown, unknown>,
): ListSize | undefined {
  const own = weights.listSize(owner.name, name)
  if (own !== undefined || !isInterfaceType(owner)) return own
  const [longest] = schema
    .getPossibleTypes(owner)
    .flatMap((type) => weights.listSize(type.name, name) ?? [])
    .sort((a, b) => (b.assumedSize ?? 0) - (a.assumedSize ?? 0))
  const hasArgument = ([argument]: readonly string[]): boolean => args.some((each) => each.name === argument)
  return longest && { ...longest, slicingArguments: longest.slicingArguments.filter(hasArgument) }
}

/** The cost of a mutation before its fields. */
export const mutationCost = 10

/** The lists whose length a surrounding field gives, and that field. */
interface Sized {
  readonly fields: SizedFields
  readonly by: EstimatedField
}

/** `listSize`: the assumed length of a list without a size. */
export function compileEstimate(
  schema: GraphQLSchema,
  weights: Weights,
  listSize: number,
  operation: NormalisedOperation,
): CostEstimator {
  const estimatedFieldsOf = (selections: readonly Selection[], sized: Sized | undefined): EstimatedField[] =>
    selections.flatMap(({ field, when }) => (when === undefined ? [] : estimatedFrom(field, when.all, sized)))

  const estimatedFrom = (
    { name, parent, arguments: given, selections }: NormalisedField,
    conditions: readonly Condition[],
    sized: Sized | undefined,
  ): EstimatedField[] => {
    const owner = schema.getType(parent)
    const field = definitionOf(schema, { parent, name })
    // Introspection and `__typename` cost nothing.
    if (owner === undefined || field === undefined) return []
    const type = getNamedType(field.type)
    const said = fieldWeight(schema, weights, owner, name)
    const ofType = typeWeight(schema, weights, type)
    const listed = listSizeOf(schema, weights, owner, field)
    const estimated: EstimatedField & { below: readonly EstimatedField[] } = {
      conditions,
      field: `${parent}.${name}`,
      weight: said ?? ofType,
      typeWeight: ofType,
      fieldWeight: said ?? (isCompositeType(type) ? 1 : 0),
      isList: isListType(getNullableType(field.type)),
      length: listed === undefined ? undefined : compileLength(listed, given, field.args),
      slicing: listed?.slicingArguments.map((path) => path.join('.')) ?? [],
      sizesBelow: listed?.sizedFields !== undefined,
      argumentCost: compileArguments(weights, { parent, name }, given, field.args),
      below: [],
      sizedFrom: sized?.fields.lists.has(name) === true ? sized.by : undefined,
    }
    const deeper = sized?.fields.below.get(name)
    let below: Sized | undefined
    if (listed?.sizedFields !== undefined) below = { fields: listed.sizedFields, by: estimated }
    else if (deeper !== undefined && sized !== undefined) below = { fields: deeper, by: sized.by }
    if (selections !== undefined) estimated.below = estimatedFieldsOf(selections, below)
    return [estimated]
  }

  const estimatedFields = estimatedFieldsOf(operation.selections, undefined)
  const base = operation.kind === 'mutation' ? mutationCost : 0
  const root = schema.getType(operation.type)
  const rootWeight = root === undefined ? 0 : typeWeight(schema, weights, root)

  const defaults = defaultsOf(operation.variables)

  const estimate: CostEstimator = (given) => {
    const variables = { ...defaults, ...given }
    let cost = base
    let fieldCost = 0
    let typeCost = rootWeight
    const unsized: UnsizedField[] = []
    const sizes = new Map<EstimatedField, number | undefined>()
    const walk = (estimated: EstimatedField, times: number): void => {
      if (!holds(estimated.conditions, variables)) return
      const args = estimated.argumentCost?.(variables) ?? 0
      const length = estimated.length?.(variables)
      sizes.set(estimated, length?.size)
      if (length?.slicing !== undefined && unsized.length < mostUnsized)
        unsized.push({ field: estimated.field, arguments: estimated.slicing, given: length.slicing })
      const ofParent = estimated.sizedFrom === undefined ? undefined : sizes.get(estimated.sizedFrom)
      const ofItself = estimated.sizesBelow ? undefined : length?.size
      const items = estimated.isList ? times * (ofParent ?? ofItself ?? listSize) : times
      cost += Math.max(0, items * estimated.weight + times * args)
      fieldCost += times * Math.max(0, estimated.fieldWeight + args)
      typeCost += items * estimated.typeWeight
      for (const each of estimated.below) walk(each, items)
    }
    for (const estimated of estimatedFields) walk(estimated, 1)
    return { cost, fieldCost, typeCost, unsized }
  }
  if (estimatedFields.some(dependsOnVariables)) return estimate
  const only = estimate({})
  return () => only
}

/** The most fields that an error names. */
const mostUnsized = 10

function dependsOnVariables(estimated: EstimatedField): boolean {
  return (
    estimated.conditions.length > 0 ||
    estimated.length !== undefined ||
    estimated.argumentCost !== undefined ||
    estimated.below.some(dependsOnVariables)
  )
}
