/**
 * The part of an operation that a caller may run.
 *
 * A refused field goes, and so does whatever is left with nothing to ask for: fields, fragments, definitions,
 * variables. What goes only because it became empty is remembered, so that its refused fields are still named.
 * A field that became empty but must not be null stays, asking for `__typename`, as long as something else
 * around it is still wanted: its null would take that along.
 */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { type Exceptions, everyone, judge, type SiteGates, type Verdict } from './judge.ts'
import { findExceptions, findKept, type Kept } from './reach.ts'
import type { Requirement } from './requirement.ts'
import type { Selection } from './selection.ts'

export interface Filtering {
  readonly allowed: DocumentNode | null
  readonly verdicts: ReadonlyMap<FieldNode, Verdict>
  /** Fields that nothing refuses, but of which nothing is left. */
  readonly emptied: ReadonlySet<FieldNode>
}

/** How much there is to ask for: something; nothing of its own, but it must not be missing; nothing. */
export type Worth = 'wanted' | 'idle' | 'nothing'

const max = (a: Worth, b: Worth): Worth =>
  a === 'wanted' || b === 'wanted' ? 'wanted' : a === 'idle' || b === 'idle' ? 'idle' : 'nothing'

export interface Worths {
  field(node: FieldNode): Worth
  /** Of what the field selects, whether or not the field itself may run. */
  content(node: FieldNode): Worth
  verdict(node: FieldNode): Verdict
}

function weigh(selection: Selection, verdict: (node: FieldNode) => Verdict): Worths {
  const fields = new Map<FieldNode, Worth>()
  const fragments = new Map<string, Worth>()

  const ofField = (node: FieldNode): Worth => {
    const known = fields.get(node)
    if (known !== undefined) return known
    const worth = fresh(node)
    fields.set(node, worth)
    return worth
  }
  const fresh = (node: FieldNode): Worth => {
    const { open, idle } = verdict(node)
    if (idle) return 'idle'
    if (open !== undefined && open.length === 0) return 'nothing'
    const site = selection.sites.get(node)
    if (site === undefined || !site.composite || node.selectionSet === undefined) return 'wanted'
    if (ofSet(node.selectionSet) === 'wanted') return 'wanted'
    // A mutation whose whole answer is refused is not run.
    return site.nonNull && site.rootOf !== 'mutation' ? 'idle' : 'nothing'
  }
  const ofSet = (set: SelectionSetNode): Worth => {
    let worth: Worth = 'nothing'
    for (const each of set.selections) worth = max(worth, ofSelection(each))
    return worth
  }
  const ofSelection = (node: SelectionNode): Worth => {
    if (node.kind === Kind.FIELD) return ofField(node)
    if (node.kind === Kind.INLINE_FRAGMENT) return ofSet(node.selectionSet)
    const name = node.name.value
    const known = fragments.get(name)
    if (known !== undefined) return known
    const fragment = selection.fragments.get(name)
    const worth = fragment === undefined ? 'nothing' : ofSet(fragment.selectionSet)
    fragments.set(name, worth)
    return worth
  }
  const content = (node: FieldNode): Worth =>
    node.selectionSet === undefined ? 'nothing' : ofSet(node.selectionSet)
  return { field: ofField, content, verdict }
}

export function filterOperation(
  selection: Selection,
  gates: ReadonlyMap<FieldNode, SiteGates>,
  meets: (requirement: Requirement) => boolean,
): Filtering {
  let exceptions: Exceptions = new Map()
  for (;;) {
    const verdicts = new Map<FieldNode, Verdict>()
    for (const [node, siteGates] of gates) {
      const site = selection.sites.get(node)
      if (site === undefined) continue
      const verdict = judge(site, siteGates, meets, exceptions)
      if (verdict !== everyone) verdicts.set(node, verdict)
    }
    const verdictOf = (node: FieldNode): Verdict => verdicts.get(node) ?? everyone
    const more = findExceptions(selection, gates, verdictOf, meets, exceptions)
    if (more === undefined) {
      const worths = weigh(selection, verdictOf)
      return emit(selection, verdicts, worths, findKept(selection, worths))
    }
    exceptions = more
  }
}

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

/** Whether the key is taken; by another field under that alias, if somebody likes to. */
const asksForType = (selections: readonly SelectionNode[]): boolean =>
  selections.some(
    (each) => each.kind === Kind.FIELD && (each.alias?.value ?? each.name.value) === '__typename',
  )

function emit(
  selection: Selection,
  verdicts: ReadonlyMap<FieldNode, Verdict>,
  worths: Worths,
  { kept, covered, typed }: Kept,
): Filtering {
  const emptied = new Set<FieldNode>()
  const fragments = new Map<string, FragmentDefinitionNode | undefined>()

  const set = (node: SelectionSetNode): SelectionNode[] => node.selections.flatMap((each) => one(each))

  const field = (node: FieldNode): readonly SelectionNode[] => {
    const { open, idle } = worths.verdict(node)
    if (open !== undefined && open.length === 0) return []
    const site = selection.sites.get(node)
    const stays = worths.field(node) === 'wanted' || kept.has(node)
    // Walked even where it goes: what is emptied below it has to be known.
    const below =
      node.selectionSet !== undefined && site?.composite === true ? set(node.selectionSet) : undefined
    if (!stays) {
      if (!idle && !covered.has(node)) emptied.add(node)
      return []
    }
    if (below !== undefined && (below.length === 0 || (typed.has(node) && !asksForType(below))))
      below.unshift(typename)
    const left: FieldNode =
      below === undefined ? node : { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections: below } }
    if (open === undefined || site?.parentIsAbstract !== true) return [left]
    return open.map((type) => ({
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } },
      selectionSet: { kind: Kind.SELECTION_SET, selections: [left] },
    }))
  }

  const fragment = (name: string): FragmentDefinitionNode | undefined => {
    if (fragments.has(name)) return fragments.get(name)
    const definition = selection.fragments.get(name)
    if (definition === undefined) return undefined
    const selections = set(definition.selectionSet)
    const left =
      selections.length === 0
        ? undefined
        : { ...definition, selectionSet: { kind: Kind.SELECTION_SET as const, selections } }
    fragments.set(name, left)
    return left
  }

  const one = (node: SelectionNode): readonly SelectionNode[] => {
    if (node.kind === Kind.FIELD) return field(node)
    if (node.kind === Kind.FRAGMENT_SPREAD) return fragment(node.name.value) === undefined ? [] : [node]
    const selections = set(node.selectionSet)
    return selections.length === 0
      ? []
      : [{ ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } }]
  }

  const selections = set(selection.operation.selectionSet)
  if (selections.length === 0) return { allowed: null, verdicts, emptied }
  return { allowed: tidy(selection, selections, fragments), verdicts, emptied }
}

/** The document of what is left, without the fragments and variables that nothing uses any more. */
function tidy(
  selection: Selection,
  selections: readonly SelectionNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode | undefined>,
): DocumentNode {
  const used = new Map<string, FragmentDefinitionNode>()
  const variables = new Set<string>()
  const note = (node: ASTNode): void => {
    visit(node, {
      Variable(variable) {
        variables.add(variable.name.value)
      },
      FragmentSpread(spread) {
        const name = spread.name.value
        const definition = fragments.get(name)
        if (definition === undefined || used.has(name)) return
        used.set(name, definition)
        note(definition)
      },
    })
  }
  const { operation } = selection
  const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections }
  note(selectionSet)
  for (const directive of operation.directives ?? []) note(directive)
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        ...operation,
        variableDefinitions: (operation.variableDefinitions ?? []).filter((definition) =>
          variables.has(definition.variable.name.value),
        ),
        selectionSet,
      },
      ...used.values(),
    ],
  }
}
