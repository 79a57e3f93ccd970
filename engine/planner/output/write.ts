/**
 * Writes the text of a fetch for one subgraph. A field that all objects of an interface have in the subgraph is
 * selected on the interface, other fields in fragments on object types. One document cannot select two fields under
 * one response key if their types differ in the subgraph, so one of them gets an alias, which is noted as a rename.
 */
import { Kind, print, type TypeNode, type ValueNode } from 'graphql'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { and, type Conjunction, implies, without } from '../../operation/conditions.ts'
import type { Graph, SubgraphType } from '../graph/graph.ts'
import type { Entry, Selection } from '../search/groups.ts'
import { PlanBoundError, type Rename } from './nodes.ts'

export interface Written {
  /** The selection, with braces. */
  readonly text: string
  readonly renames: readonly Rename[]
}

interface WriteContext {
  readonly graph: Graph
  /** Whether root fields are executed serially, so that their order must be kept. */
  readonly serial?: boolean
  /** Receives the names of the client's variables that are used. */
  readonly variables: Set<string>
}

/** The type of a selection in the subgraph: the declared one, or if there is none, the possible object types. */
export type Static =
  | SubgraphType
  | { readonly kind: 'any'; readonly graph: number; readonly members: readonly SubgraphType[] }

interface Line {
  /** The heads of the fragments around it, outermost first. */
  readonly around: readonly string[]
  readonly text: string
}

/** An entry, on one of the types that it is written for. */
interface Item {
  readonly entry: Entry
  readonly on: SubgraphType
  /** The type condition of the fragment, if one is needed. */
  readonly condition: string | undefined
}

export function writeSelection(
  context: WriteContext,
  selection: Selection,
  at: Static,
  given: Conjunction,
): Written {
  const renames: Rename[] = []
  const body = linesOf({ ...context, renames, known: new Map() }, selection, at, given, [])
  // Paths lead through the response as the subgraph sends it, so inner fields are renamed first.
  renames.sort((a, b) => b.path.length - a.path.length)
  return { text: body, renames }
}

interface Writing extends WriteContext {
  readonly renames: Rename[]
  readonly known: Map<Selection, Map<Static, Known>>
}

/** What is found out once about a selection on one type: a field has it below each object type that it is written for. */
interface Known {
  shapes: Shapes | undefined
  /** By its path, and the conditions around it. */
  readonly texts: Map<string, string>
}

function knownOf({ known }: Pick<Writing, 'known'>, selection: Selection, at: Static): Known {
  const onTypes = getOrInsert(known, selection, () => new Map())
  return getOrInsert(onTypes, at, () => ({ shapes: undefined, texts: new Map() }))
}

/**
 * The most characters of all fetches of a plan. A field that an interface lacks in the subgraph is written for each of
 * its object types, and so is everything below it: the text multiplies with each such level.
 */
const mostCharacters = 1_000_000

/** Counts characters up to the bound. */
export class TextLength {
  #characters = 0

  add(text: string): void {
    this.#characters += text.length
    if (this.#characters > mostCharacters)
      throw new PlanBoundError(
        `The operation is too complex: its fetches would have more than ${mostCharacters} characters.`,
        false,
      )
  }
}

function linesOf(
  context: Writing,
  selection: Selection,
  at: Static,
  given: Conjunction,
  path: readonly string[],
): string {
  const isTyped =
    at.kind === 'interface' ||
    at.kind === 'union' ||
    (at.kind === 'object' && selection.abstract && !at.interfaceObject)
  const lines: Line[] = []
  if (isTyped) lines.push({ around: [], text: '__typename' })
  const items: Item[] = []
  for (const entry of [...selection.entries.values()].sort(inOrder)) {
    if (entry.field.name !== '__typename') items.push(...itemsOf(at, entry))
    else if (at.kind === 'object' && !isTyped)
      for (const when of whenIn(entry, given))
        lines.push({ around: aroundOf(context, when, given, entry, undefined), text: '__typename' })
  }
  const aliases = aliasesFor(context, items)
  const length = new TextLength()
  for (const item of items) {
    const { entry, condition } = item
    const key = aliases.get(item) ?? entry.field.key
    const below = [...path, key]
    for (const when of whenIn(entry, given)) {
      const text = fieldText(context, item, key, when, below)
      length.add(text)
      lines.push({ around: aroundOf(context, when, given, entry, condition), text })
    }
  }
  for (const [{ entry }, alias] of aliases)
    context.renames.push({ path: [...path, alias], to: entry.field.key })
  return braced(lines, context.serial === true && path.length === 0)
}

function inOrder(a: Entry, b: Entry): number {
  const first = Number(b.field.name === '__typename') - Number(a.field.name === '__typename')
  return first === 0 ? a.field.order - b.field.order : first
}

/** The conditions that are written for an entry inside `given`. */
function whenIn(entry: Entry, given: Conjunction): readonly Conjunction[] {
  if (entry.when.some((each) => implies(given, each))) return [given]
  const below = entry.when.filter((each) => implies(each, given))
  // Conditions that exclude `given` come from a parent with several conditions, and are written for the parent's
  // others.
  return below.length > 0 ? below : entry.when.filter((each) => and(given, each.all) !== undefined)
}

/** The types on which an entry is written: the declared one, or those of fragments. */
function itemsOf(at: Static, entry: Entry): readonly Item[] {
  if (at.kind === 'object') return [{ entry, on: at, condition: undefined }]
  const { field, types } = entry
  const meant = at.members.filter((member) => member.interfaceObject || types.has(member.name))
  if (at.kind === 'interface' && meant.length === at.members.length && at.fields.has(field.name))
    return [{ entry, on: at, condition: undefined }]
  return meant.map((on) => ({ entry, on, condition: on.name }))
}

function aroundOf(
  context: WriteContext,
  when: Conjunction,
  given: Conjunction,
  entry: Entry,
  type: string | undefined,
): readonly string[] {
  const parts: string[] = []
  if (type !== undefined) parts.push(`... on ${type}`)
  const conditions = without(when, given)
  for (const { variable } of conditions) context.variables.add(variable)
  // A selection may have each directive only once.
  const included = conditions.flatMap(({ variable, value }) => (value ? [`@include(if: $${variable})`] : []))
  const skipped = conditions.flatMap(({ variable, value }) => (value ? [] : [`@skip(if: $${variable})`]))
  for (let i = 0; i < Math.max(included.length, skipped.length); i++)
    parts.push(['...', included[i], skipped[i]].filter((part) => part !== undefined).join(' '))
  for (const wrap of entry.field.wraps) parts.push(`... ${wrap}`)
  return parts
}

function fieldText(
  context: Writing,
  { entry, on }: Item,
  key: string,
  when: Conjunction,
  path: readonly string[],
): string {
  const { field, contexts } = entry
  const given = [
    ...field.arguments.map((argument) => print(argument)),
    ...contexts.map(({ argument, variable }) => `${argument}: $${variable}`),
  ]
  for (const { value } of field.arguments) addVariables(value, context.variables)
  for (const text of [field.directives, ...field.wraps])
    for (const [, name] of text.matchAll(/\$(\w+)/g)) if (name !== undefined) context.variables.add(name)
  const name = key === field.name ? key : `${key}: ${field.name}`
  const args = given.length === 0 ? '' : `(${given.join(', ')})`
  const directives = field.directives === '' ? '' : ` ${field.directives}`
  const head = `${name}${args}${directives}`
  if (entry.below === undefined) return head
  const type = on.fields.get(field.name)
  const below = type === undefined ? undefined : context.graph.in(on.graph, type.named)
  if (below === undefined) return `${head} { __typename }`
  const { texts } = knownOf(context, entry.below, below)
  const place = `${path.join(' ')} ${when.key}`
  const text = texts.get(place) ?? linesOf(context, entry.below, below, when, path)
  texts.set(place, text)
  return `${head} ${text}`
}

function addVariables(value: ValueNode, into: Set<string>): void {
  if (value.kind === Kind.VARIABLE) into.add(value.name.value)
  else if (value.kind === Kind.LIST) for (const item of value.values) addVariables(item, into)
  else if (value.kind === Kind.OBJECT) for (const field of value.fields) addVariables(field.value, into)
}

/** Joins lines that have the same fragments around them. */
function braced(lines: readonly Line[], isOrdered: boolean): string {
  if (lines.length === 0) return '{ __typename }'
  const byAround = new Map<string, { around: readonly string[]; texts: Set<string> }>()
  let before = ''
  let turn = 0
  for (const { around, text } of lines) {
    const fragments = around.join(' ')
    if (isOrdered && fragments !== before) turn += 1
    before = fragments
    const key = `${turn} ${fragments}`
    getOrInsert(byAround, key, () => ({ around, texts: new Set<string>() })).texts.add(text)
  }
  const parts = [...byAround.values()].map(({ around, texts }) =>
    around.reduceRight((inside, fragment) => `${fragment} { ${inside} }`, [...texts].join(' ')),
  )
  return `{ ${parts.join(' ')} }`
}

/** Aliases for items that conflict with an earlier one under the same response key. */
function aliasesFor(context: Writing, items: readonly Item[]): ReadonlyMap<Item, string> {
  const aliases = new Map<Item, string>()
  for (const [key, sharing] of Map.groupBy(items, ({ entry }) => entry.field.key)) {
    if (sharing.length === 1) continue
    // Items of one group do not conflict. The first group keeps the key.
    const groups: Shapes[] = []
    for (const item of sharing) {
      const shapes = shapesOf([item], context)
      let index = groups.findIndex((group) => !conflict(group, shapes))
      if (index === -1) index = groups.push(new Map()) - 1
      merge(groups[index] ?? shapes, shapes)
      if (index > 0) aliases.set(item, `_r${index}_${key}`)
    }
  }
  return aliases
}

/** The shapes that fields have under each response key, with what is below the fields of each shape. */
type Shapes = Map<string, Map<string, Shapes>>

function shapesOf(items: readonly Item[], context: Writing): Shapes {
  const shapes: Shapes = new Map()
  for (const { entry, on } of items) {
    const type = on.fields.get(entry.field.name)?.type
    const shape = type === undefined ? '' : shapeOf(type, entry)
    const at = type === undefined ? undefined : context.graph.in(on.graph, namedType(type))
    const below =
      entry.below === undefined || at === undefined ? nothing : shapesBelow(entry.below, at, context)
    merge(shapes, new Map([[entry.field.key, new Map([[shape, below]])]]))
  }
  return shapes
}

const nothing: Shapes = new Map()

function shapesBelow(selection: Selection, at: Static, context: Writing): Shapes {
  const known = knownOf(context, selection, at)
  known.shapes ??= shapesOf(
    [...selection.entries.values()].flatMap((entry) => itemsOf(at, entry)),
    context,
  )
  return known.shapes
}

function merge(into: Shapes, from: Shapes): void {
  for (const [key, shapes] of from) {
    const known = getOrInsert(into, key, () => new Map())
    for (const [shape, below] of shapes)
      merge(
        getOrInsert(known, shape, () => new Map()),
        below,
      )
  }
}

/** Whether two fields with one response key have types that differ in shape (SameResponseShape). */
function conflict(some: Shapes, others: Shapes): boolean {
  for (const [key, shapes] of others)
    for (const [shape, below] of some.get(key) ?? [])
      for (const [other, otherBelow] of shapes)
        if (shape !== other || conflict(below, otherBelow)) return true
  return false
}

function shapeOf(type: TypeNode, entry: Entry): string {
  if (type.kind === Kind.NON_NULL_TYPE) return `${shapeOf(type.type, entry)}!`
  if (type.kind === Kind.LIST_TYPE) return `[${shapeOf(type.type, entry)}]`
  return entry.below === undefined ? type.name.value : '{}'
}
