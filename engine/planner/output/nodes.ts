/** The nodes of a plan. A plan is data only: `print.ts` prints it and `../../executor` runs it. */
import type { OperationTypeNode } from 'graphql'
import type { LaterFields } from '../../executor/later-results.ts'
import type { Conditions } from '../../operation/conditions.ts'

/** The operation that one fetch sends to one subgraph. */
export interface FetchOperation {
  readonly service: string
  readonly kind: `${OperationTypeNode}`
  readonly text: string
  readonly name: string | undefined
  /** The variables of the client's operation that it uses. */
  readonly variableNames: readonly string[]
  /** Fields that may be delivered after the rest, of an incremental operation. */
  readonly later?: ReadonlyMap<string, LaterFields> | undefined
}

/** A field of an object that a representation contains. */
export interface RequiredField {
  /** Its response key in the merged data, and its name in the subgraph. */
  readonly key: string
  readonly name: string
  /** The object types that need it. Undefined: all. */
  readonly types: readonly string[] | undefined
  readonly fields: readonly RequiredField[] | undefined
}

/** The representation of objects of some types. */
export interface Representation {
  /** Undefined: all types at the path. */
  readonly types: readonly string[] | undefined
  /** The `__typename` that is sent. Undefined: the object's own. */
  readonly typename: string | undefined
  readonly fields: readonly RequiredField[]
}

/** Steps from the root of the response to objects. Lists are traversed at any depth. */
export type PlanPath = readonly PlanPathStep[]
export type PlanPathStep =
  | { readonly kind: 'field'; readonly key: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'type'; readonly types: readonly string[] }

/** A field that was requested under an alias, because one document cannot select two fields with its response key. */
export interface Rename {
  /** Response keys from the root of the subgraph's response, with the alias last. */
  readonly path: readonly string[]
  readonly to: string
}

/** An argument whose value comes from an object above the one that is looked up (`@fromContext`). */
export interface ContextVariable {
  readonly variable: string
  /** The number of path steps that lead to the object with the value. */
  readonly depth: number
  readonly fields: readonly RequiredField[]
}

/** The objects that one `_entities` field looks up, and their places. */
export interface EntityGroup {
  /** The response key of the `_entities` field. */
  readonly alias: string
  readonly variable: string
  readonly paths: readonly PlanPath[]
  readonly representations: readonly Representation[]
  readonly renames: readonly Rename[]
  readonly contexts: readonly ContextVariable[]
  /** The conditions under which these objects are looked up. Undefined: always. */
  readonly when: Conditions | undefined
}

/** A fetch of root fields. */
export interface FetchNode {
  readonly kind: 'fetch'
  readonly operation: FetchOperation
  readonly renames: readonly Rename[]
  /** The place of the response if it belongs below the root: objects that have the root type. Undefined: the root. */
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

/** The fetches and their order. Undefined if nothing is fetched. */
export type Plan = PlanNode | undefined

/** A field of a fetch that may be delivered later than the rest, with its delivery group. */
export interface LateField {
  /** Response keys from the root of the fetch's response. */
  readonly path: readonly string[]
  readonly deliveryGroup: string
}

/** A fetch of an incremental operation. The delivery group of the first response has the empty name. */
export interface DeliveryFetch {
  readonly node: PlanNode
  /** The delivery group that it is made for. */
  readonly deliveryGroup: string
  /** All delivery groups that need it. */
  readonly deliveryGroups: readonly string[]
  /** The streamed lists around its objects, outermost first. */
  readonly lists: readonly string[]
  /** The streamed lists in its response, with the delivery group of each. */
  readonly brings: readonly { readonly list: string; readonly deliveryGroup: string }[]
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

/** The operation cannot be planned. The message says why. */
export class PlanError extends Error {
  override readonly name: string = 'PlanError'
}

/** Planning the operation would exceed a bound. */
export class PlanBoundError extends PlanError {
  override readonly name = 'PlanBoundError'
  /** Whether the request had too little time: then another request for the operation may succeed. */
  readonly ofTime: boolean

  constructor(message: string, ofTime: boolean) {
    super(message)
    this.ofTime = ofTime
  }
}
