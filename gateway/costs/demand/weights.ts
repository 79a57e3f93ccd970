/**
 * The costs in the schema: `@cost` and `@listSize` of a supergraph, by their places in it. Both forms of a weight are
 * read: the number of Apollo Federation and the text of IBM's specification.
 */

import { type ConstDirectiveNode, type DocumentNode, Kind, parse, type SelectionSetNode } from 'graphql'
import { eachAppliedDirective } from '../../../engine/supergraph/applied-directives.ts'
import { directiveNames } from '../../../engine/supergraph/directives.ts'
import { argumentsOf } from '../../../shared/graphql/literals.ts'
import { textsOf } from '../../../shared/json/is-object.ts'

/** Sized fields below a field: those whose own list is sized, and those on the path to one. */
export interface SizedFields {
  readonly lists: ReadonlySet<string>
  readonly below: ReadonlyMap<string, SizedFields>
}

export interface ListSize {
  readonly assumedSize: number | undefined
  /** Names of arguments, or paths into them such as `input.page.first`. */
  readonly slicingArguments: readonly (readonly string[])[]
  readonly sizedFields: SizedFields | undefined
  readonly requireOneSlicingArgument: boolean
}

export type Weights = ReturnType<typeof readWeights>

/** The content of a directive at each place; undefined if there is none, and then the defaults hold. */
export function readWeights(document: DocumentNode) {
  const names = directiveNames(document)
  const weights = new Map<string, number>()
  const sizes = new Map<string, ListSize>()
  eachAppliedDirective(document.definitions, (directive, placeOf) => {
    if (names.cost.has(directive.name.value)) {
      const weight = weightOf(directive)
      if (weight === undefined) return
      const place = placeOf()
      // The largest of several weights, for example of several subgraphs.
      weights.set(place, Math.max(weight, weights.get(place) ?? weight))
    } else if (names.listSize.has(directive.name.value)) sizes.set(placeOf(), listSizeOf(directive))
  })
  return {
    type: (name: string) => weights.get(name),
    field: (type: string, field: string) => weights.get(`${type}.${field}`),
    argument: (type: string, field: string, name: string) => weights.get(`${type}.${field}(${name}:)`),
    inputField: (type: string, field: string) => weights.get(`${type}.${field}`),
    listSize: (type: string, field: string) => sizes.get(`${type}.${field}`),
  }
}

function weightOf(directive: ConstDirectiveNode): number | undefined {
  const { weight } = argumentsOf(directive)
  const number = typeof weight === 'string' && weight.trim() !== '' ? Number(weight) : weight
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function listSizeOf(directive: ConstDirectiveNode): ListSize {
  const { assumedSize, slicingArguments, sizedFields, requireOneSlicingArgument } = argumentsOf(directive)
  const sized = textsOf(sizedFields)
  return {
    assumedSize: typeof assumedSize === 'number' ? Math.max(0, assumedSize) : undefined,
    slicingArguments: textsOf(slicingArguments).map((path) => path.split('.')),
    sizedFields: sized.length === 0 ? undefined : sizedFieldsOf(sized),
    requireOneSlicingArgument: requireOneSlicingArgument !== false,
  }
}

/** Each is a field, or a selection that ends in fields: `results { page }`. */
function sizedFieldsOf(texts: readonly string[]): SizedFields | undefined {
  try {
    const [operation] = parse(`{ ${texts.join(' ')} }`, { noLocation: true, maxTokens: 1000 }).definitions
    return operation?.kind === Kind.OPERATION_DEFINITION ? sizedIn(operation.selectionSet) : undefined
  } catch {
    return undefined
  }
}

function sizedIn({ selections }: SelectionSetNode): SizedFields {
  const lists = new Set<string>()
  const below = new Map<string, SizedFields>()
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue
    if (selection.selectionSet === undefined) lists.add(selection.name.value)
    else below.set(selection.name.value, sizedIn(selection.selectionSet))
  }
  return { lists, below }
}
