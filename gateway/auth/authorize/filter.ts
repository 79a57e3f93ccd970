/**
 * The part of an operation that a caller may run.
 *
 * A refused field is removed, and so is everything that becomes empty: fields, fragments, definitions, variables.
 * Elements that are removed only because they became empty are remembered, so that their refused fields are still
 * reported. An empty non-null field remains with `__typename`, as long as something else around it is wanted: its null
 * would remove that as well.
 */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { NormalisedField } from '../../../engine/operation/normalised.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { fragmentsOf } from '../../../shared/graphql/selections.ts'
import { type Decision, decide, type Exceptions, openToAll, type SiteRequirements } from './decision.ts'
import type { Requirement } from './requirement.ts'
import { findExceptions, findKept, type Kept } from './same-key.ts'
import type { Selection } from './selection.ts'
import { type Weights, weigh } from './weight.ts'

/** What the operation was normalised from. */
export interface Source {
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
}

export interface Filtering {
  /** What remains; null if nothing does. Throws `OPERATION_TOO_LARGE` if it is too much, which the rest does not tell. */
  allowed(): DocumentNode | null
  readonly decisions: ReadonlyMap<NormalisedField, Decision>
  /** Fields that no rule refuses, but that became empty. */
  readonly emptied: ReadonlySet<NormalisedField>
}

export function filterOperation(
  selection: Selection,
  source: Source,
  requiredAt: ReadonlyMap<NormalisedField, SiteRequirements>,
  meets: (requirement: Requirement) => boolean,
): Filtering {
  let exceptions: Exceptions = new Map()
  for (;;) {
    const decisions = new Map<NormalisedField, Decision>()
    for (const [field, siteRequirements] of requiredAt) {
      const site = selection.sites.get(field)
      if (site === undefined) continue
      decisions.set(field, decide(site, siteRequirements, meets, exceptions))
    }
    const decisionOf = (field: NormalisedField): Decision => decisions.get(field) ?? openToAll
    const more = findExceptions(selection, requiredAt, decisionOf, meets, exceptions)
    if (more === undefined) {
      const weights = weigh(selection, decisionOf)
      return emit(selection, source, decisions, weights, findKept(selection, weights))
    }
    exceptions = more
  }
}

const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

/** Whether the key is used, possibly by another field under that alias. */
const asksForType = (selections: readonly SelectionNode[]): boolean =>
  selections.some(
    (each) => each.kind === Kind.FIELD && (each.alias?.value ?? each.name.value) === '__typename',
  )

function emit(
  selection: Selection,
  source: Source,
  decisions: ReadonlyMap<NormalisedField, Decision>,
  weights: Weights,
  { kept, covered, typed }: Kept,
): Filtering {
  const emptied = new Set<NormalisedField>()
  const byNode = new Map(selection.operation.fields.map((each) => [each.node, each]))
  const named = fragmentsOf(source.document)
  const fragments = new Map<string, FragmentDefinitionNode | undefined>()

  const set = (node: SelectionSetNode): SelectionNode[] => node.selections.flatMap((each) => one(each))

  const field = (node: FieldNode): readonly SelectionNode[] => {
    const own = byNode.get(node)
    if (own === undefined) return []
    const { open, idle } = weights.decision(own)
    if (open !== undefined && open.length === 0) return []
    const site = selection.sites.get(own)
    const stays = weights.field(own) === 'wanted' || kept.has(own)
    // Walked even if it is removed: the fields that become empty below it must be known.
    const below = node.selectionSet === undefined ? undefined : set(node.selectionSet)
    if (!stays) {
      if (!idle && !covered.has(own)) emptied.add(own)
      return []
    }
    if (below !== undefined && (below.length === 0 || (typed.has(own) && !asksForType(below))))
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
    const definition = named.get(name)
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

  const selections = set(source.definition.selectionSet)
  return {
    allowed() {
      if (selections.length === 0) return null
      checkSize(sizeOf(source.definition.selectionSet.selections, named), sizeOf(selections, fragments))
      return tidy(source.definition, selections, fragments)
    },
    decisions,
    emptied,
  }
}

/** The most fields of what remains, with its fragments spread, unless that many were requested. */
const mostFields = 50_000

/**
 * Throws `OPERATION_TOO_LARGE`. A field of an interface remains once for each type that is open, with all that is below
 * it. Interfaces within interfaces multiply that, so what remains can be far larger than what was requested.
 */
function checkSize(requested: number, left: number): void {
  if (left <= Math.max(requested, mostFields)) return
  throw tesseraError(
    'OPERATION_TOO_LARGE',
    `What this caller may see of the operation has more than ${mostFields} fields, because fields of interfaces are requested for each type that is open.`,
    { extensions: { maximum: mostFields } },
  )
}

/** The number of fields with the fragments spread, found by one look at each node. */
function sizeOf(
  selections: readonly SelectionNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode | undefined>,
): number {
  const known = new Map<SelectionNode, number>()
  const sizeIn = (all: readonly SelectionNode[] = []): number =>
    all.reduce((sum, each) => sum + sizeOfNode(each), 0)
  const sizeOfNode = (node: SelectionNode): number => {
    let size = known.get(node)
    if (size === undefined) {
      const { selectionSet } =
        node.kind === Kind.FRAGMENT_SPREAD ? (fragments.get(node.name.value) ?? {}) : node
      size = (node.kind === Kind.FIELD ? 1 : 0) + sizeIn(selectionSet?.selections)
      known.set(node, size)
    }
    return size
  }
  return sizeIn(selections)
}

/** The remaining document, without unused fragments and variables. */
function tidy(
  operation: OperationDefinitionNode,
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
