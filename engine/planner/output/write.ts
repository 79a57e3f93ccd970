/**
 * Writes the text of a fetch for one subgraph. A field that all objects of an interface have in the subgraph is
 * selected on the interface, other fields in fragments on object types. One document cannot select two fields under
 * one response key if their types differ in the subgraph, so one of them gets an alias, which is noted as a rename.
 */
import { Kind, print, type TypeNode, type ValueNode } from 'graphql'
import { namedType } from '../../../shared/graphql/named-type.ts'
import { and, type Conjunction, implies, without } from '../../operation/conditions.ts'
import type { Graph, SubgraphType } from '../graph/graph.ts'
import type { Entry, Selection } from '../search/groups.ts'
import type { Rename } from './nodes.ts'

export interface Written {
  /** The selection, with braces. */
  readonly text: string
  readonly renames: readonly Rename[]
}

export interface WriteContext {
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
  const body = linesOf({ ...context, renames }, selection, at, given, [])
  // Paths lead through the response as the subgraph sends it, so inner fields are renamed first.
  renames.sort((a, b) => b.path.length - a.path.length)
  return { text: body, renames }
}

interface Writing extends WriteContext {
  readonly renames: Rename[]
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
  const aliases = aliasesFor(context.graph, items)
  for (const item of items) {
    const { entry, on, condition } = item
    const key = aliases.get(item) ?? entry.field.key
    const below = [...path, key]
    for (const when of whenIn(entry, given)) {
      const text = fieldText(context, entry, key, on, when, below)
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
  entry: Entry,
  key: string,
  on: SubgraphType,
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
  return `${head} ${linesOf(context, entry.below, below, when, path)}`
}

function addVariables(value: ValueNode, into: Set<string>): void {
  if (value.kind === Kind.VARIABLE) into.add(value.name.value)
  else if (value.kind === Kind.LIST) for (const item of value.values) addVariables(item, into)
  else if (value.kind === Kind.OBJECT) for (const field of value.fields) addVariables(field.value, into)
}

/** Joins lines that have the same fragments around them. */
function braced(lines: readonly Line[], isOrdered: boolean): string {
  if (lines.length === 0) return '{ __typename }'
  const byAround = new Map<string, { around: readonly string[]; texts: string[] }>()
  let before = ''
  let turn = 0
  for (const { around, text } of lines) {
    const fragments = around.join(' ')
    if (isOrdered && fragments !== before) turn += 1
    before = fragments
    const key = `${turn} ${fragments}`
    const known = byAround.get(key)
    if (known === undefined) byAround.set(key, { around, texts: [text] })
    else if (!known.texts.includes(text)) known.texts.push(text)
  }
  const parts = [...byAround.values()].map(({ around, texts }) =>
    around.reduceRight((inside, fragment) => `${fragment} { ${inside} }`, texts.join(' ')),
  )
  return `{ ${parts.join(' ')} }`
}

/** Aliases for items that conflict with an earlier one under the same response key. */
function aliasesFor(graph: Graph, items: readonly Item[]): ReadonlyMap<Item, string> {
  const aliases = new Map<Item, string>()
  for (const [key, sharing] of Map.groupBy(items, ({ entry }) => entry.field.key)) {
    if (sharing.length === 1) continue
    // Items of one group do not conflict. The first group keeps the key.
    const groups: Item[][] = []
    for (const item of sharing) {
      const group = groups.find((others) => others.every((other) => !conflict(graph, other, item)))
      if (group === undefined) groups.push([item])
      else group.push(item)
      const index = group === undefined ? groups.length - 1 : groups.indexOf(group)
      if (index > 0) aliases.set(item, `_r${index}_${key}`)
    }
  }
  return aliases
}

/** Whether the types of two fields with one response key differ in shape (SameResponseShape). */
function conflict(graph: Graph, a: Item, b: Item): boolean {
  const [one, other] = [a, b].map(({ entry, on }) => on.fields.get(entry.field.name)?.type)
  if (one === undefined || other === undefined) return one !== other
  if (shapeOf(one, a.entry) !== shapeOf(other, b.entry)) return true
  if (a.entry.below === undefined || b.entry.below === undefined) return false
  const inA = graph.in(a.on.graph, namedType(one))
  const inB = graph.in(b.on.graph, namedType(other))
  if (inA === undefined || inB === undefined) return false
  const itemsA = [...a.entry.below.entries.values()].flatMap((entry) => itemsOf(inA, entry))
  const itemsB = [...b.entry.below.entries.values()].flatMap((entry) => itemsOf(inB, entry))
  return itemsA.some((x) =>
    itemsB.some((y) => x.entry.field.key === y.entry.field.key && conflict(graph, x, y)),
  )
}

function shapeOf(type: TypeNode, entry: Entry): string {
  if (type.kind === Kind.NON_NULL_TYPE) return `${shapeOf(type.type, entry)}!`
  if (type.kind === Kind.LIST_TYPE) return `[${shapeOf(type.type, entry)}]`
  return entry.below === undefined ? type.name.value : '{}'
}
