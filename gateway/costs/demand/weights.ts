/**
 * The costs in the schema: `@cost` and `@listSize` of a supergraph, by their places in it. Both forms of a weight are
 * read: the number of Apollo Federation and the text of IBM's specification.
 */

import { type ConstDirectiveNode, type DocumentNode, Kind, parse, type SelectionSetNode } from 'graphql'
import { directiveNames } from '../../../engine/supergraph/directives.ts'
import { argument } from '../../../engine/supergraph/features.ts'

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
  const note = (place: string, { directives = [] }: { directives?: readonly ConstDirectiveNode[] }): void => {
    for (const directive of directives) {
      if (names.cost.has(directive.name.value)) {
        const weight = weightOf(directive)
        // Of several weights, for example of several subgraphs, the largest.
        if (weight !== undefined) weights.set(place, Math.max(weight, weights.get(place) ?? weight))
      } else if (names.listSize.has(directive.name.value)) sizes.set(place, listSizeOf(directive))
    }
  }
  for (const definition of document.definitions) {
    switch (definition.kind) {
      case Kind.SCALAR_TYPE_DEFINITION:
      case Kind.ENUM_TYPE_DEFINITION:
        note(definition.name.value, definition)
        break
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION:
        note(definition.name.value, definition)
        for (const field of definition.fields ?? []) {
          const place = `${definition.name.value}.${field.name.value}`
          note(place, field)
          for (const each of field.arguments ?? []) note(`${place}(${each.name.value})`, each)
        }
        break
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        for (const field of definition.fields ?? [])
          note(`${definition.name.value}.${field.name.value}`, field)
    }
  }
  return {
    /** The weight of a type, by its name. */
    type: (name: string) => weights.get(name),
    field: (type: string, field: string) => weights.get(`${type}.${field}`),
    argument: (type: string, field: string, name: string) => weights.get(`${type}.${field}(${name})`),
    inputField: (type: string, field: string) => weights.get(`${type}.${field}`),
    listSize: (type: string, field: string) => sizes.get(`${type}.${field}`),
  }
}

function weightOf(directive: ConstDirectiveNode): number | undefined {
  const value = argument(directive, 'weight')
  if (value?.kind !== Kind.INT && value?.kind !== Kind.FLOAT && value?.kind !== Kind.STRING) return undefined
  const weight = value.value.trim() === '' ? Number.NaN : Number(value.value)
  return Number.isFinite(weight) ? weight : undefined
}

function listSizeOf(directive: ConstDirectiveNode): ListSize {
  const assumed = argument(directive, 'assumedSize')
  const required = argument(directive, 'requireOneSlicingArgument')
  const sized = textsOf(directive, 'sizedFields')
  return {
    assumedSize: assumed?.kind === Kind.INT ? Math.max(0, Number(assumed.value)) : undefined,
    slicingArguments: textsOf(directive, 'slicingArguments').map((path) => path.split('.')),
    sizedFields: sized.length === 0 ? undefined : sizedFieldsOf(sized),
    requireOneSlicingArgument: required?.kind === Kind.BOOLEAN ? required.value : true,
  }
}

function textsOf(directive: ConstDirectiveNode, name: string): string[] {
  const value = argument(directive, name)
  if (value?.kind !== Kind.LIST) return []
  return value.values.flatMap((item) => (item.kind === Kind.STRING ? [item.value] : []))
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
