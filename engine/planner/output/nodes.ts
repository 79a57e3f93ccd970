/**
 * What a plan is: fetches, what each asks for, and what it waits for. A plan is data only; `print.ts` shows it and
 * `../../executor` runs it.
 */
import type { OperationTypeNode } from 'graphql'
import type { LaterFields } from '../../executor/later.ts'
import type { Conditions } from '../../operation/conditions.ts'

/** What one fetch asks one subgraph. */
export interface FetchOperation {
  readonly service: string
  readonly kind: `${OperationTypeNode}`
  readonly text: string
  readonly name: string | undefined
  /** The variables of the client's operation that it needs. */
  readonly variableNames: readonly string[]
  /** Of an operation in parts: what may be answered after the rest. */
  readonly later?: ReadonlyMap<string, LaterFields> | undefined
}

/** Part of an object, by response key. */
export interface RequiredField {
  /** The key that it has in the merged data, and the name that the subgraph gives it. */
  readonly key: string
  readonly name: string
  /** The object types on which it is required; undefined for every type. */
  readonly types: readonly string[] | undefined
  readonly fields: readonly RequiredField[] | undefined
}

/** How objects of some types are named to a subgraph. */
export interface Representation {
  /** Undefined: objects of every type that stands at the path. */
  readonly types: readonly string[] | undefined
  /** The `__typename` that is sent; undefined: the object's own. */
  readonly typename: string | undefined
  readonly fields: readonly RequiredField[]
}

/** Steps from the response's root to objects; lists are always walked through, however deep. */
export type PlanPath = readonly PlanPathStep[]
export type PlanPathStep =
  | { readonly kind: 'field'; readonly key: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'type'; readonly types: readonly string[] }

/** A field that was asked for under a key of its own, because two fields of one key cannot stand in one document. */
export interface Rename {
  /** Keys of the answer from its root, the aliased key last. */
  readonly path: readonly string[]
  readonly to: string
}

/** An argument whose value stands in an object above the one that is looked up (`@fromContext`). */
export interface ContextVariable {
  readonly variable: string
  /** How many steps of the path lead to the object that has the value. */
  readonly depth: number
  readonly fields: readonly RequiredField[]
}

/** Objects that one `_entities` field looks up, and their places. */
export interface EntityGroup {
  /** The response key of the `_entities` field. */
  readonly alias: string
  /** The variable that takes the representations. */
  readonly variable: string
  readonly paths: readonly PlanPath[]
  readonly representations: readonly Representation[]
  readonly renames: readonly Rename[]
  readonly contexts: readonly ContextVariable[]
  /** Under which conditions these objects are looked up; undefined is always. */
  readonly when: Conditions | undefined
}

/** A fetch of root fields. */
export interface FetchNode {
  readonly kind: 'fetch'
  readonly operation: FetchOperation
  readonly renames: readonly Rename[]
  /** The place to which the answer belongs: objects of the root type that stand below the response's root. */
  readonly path: PlanPath | undefined
  readonly when: Conditions | undefined
}

/** A fetch of entities. */
export interface EntitiesNode {
  readonly kind: 'entities'
  readonly operation: FetchOperation
  readonly groups: readonly EntityGroup[]
}

export type PlanNode =
  | { readonly kind: 'sequence'; readonly nodes: readonly PlanNode[] }
  | { readonly kind: 'parallel'; readonly nodes: readonly PlanNode[] }
  | FetchNode
  | EntitiesNode

/** What to fetch, in which order; undefined if nothing is to be fetched. */
export type Plan = PlanNode | undefined

/** A field of a fetch that may come later than the rest of it, and the part of the operation that it is for. */
export interface LateField {
  /** Response keys from the root of what the fetch answers. */
  readonly path: readonly string[]
  readonly part: string
}

/** A fetch of an operation in parts; the part that comes first has no name. */
export interface PartFetch {
  readonly node: PlanNode
  /** The part that it is made for. */
  readonly part: string
  /** Every part that needs it. */
  readonly parts: readonly string[]
  /** The streamed lists in whose items its objects stand, from the outermost in. */
  readonly lists: readonly string[]
  /** The streamed lists that it brings, and the part of each. */
  readonly brings: readonly { readonly list: string; readonly part: string }[]
  readonly late: readonly LateField[]
  /** The numbers of the fetches that it waits for. */
  readonly after: readonly number[]
}

/** Calls `visit` for each fetch of the plan. */
export function eachFetch(plan: Plan, visit: (node: FetchNode | EntitiesNode) => void): void {
  if (plan === undefined) return
  if (plan.kind === 'fetch' || plan.kind === 'entities') visit(plan)
  else for (const node of plan.nodes) eachFetch(node, visit)
}

/** The operation cannot be planned; the message says why. */
export class PlanError extends Error {
  override readonly name: string = 'PlanError'
}

/** It would take more to plan the operation than is granted. */
export class PlanBoundError extends PlanError {
  override readonly name = 'PlanBoundError'
  /** Whether it was the time of the request: another one may have enough. */
  readonly ofTime: boolean

  constructor(message: string, ofTime: boolean) {
    super(message)
    this.ofTime = ofTime
  }
}
