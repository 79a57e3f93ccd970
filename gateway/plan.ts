/**
 * From an operation to the fetches that answer it. The planning itself is native
 * (`@graphql-hive/router-query-planner`) and runs off the event loop; here its output becomes a small typed
 * tree, checked, so that nothing else knows that planner. What it cannot do is kept away from it
 * (`plan/plannable.ts`, `plan/conditions.ts`). One gap is left and comes out as a `PlanError`: a field that
 * `@requires` others, on an object that the same subgraph answered within an entity look-up
 * (https://github.com/graphql-hive/router/issues/1310 is of that family).
 */
import { QueryPlanner } from '@graphql-hive/router-query-planner'
import { type DocumentNode, print } from 'graphql'
import { messageOf } from '../subgraphs/lib/thrown.ts'
import { planNodeFrom } from './plan/normalize.ts'

export { printPlan } from './plan/print.ts'

/** What one fetch asks one subgraph. */
export interface FetchOperation {
  readonly service: string
  readonly kind: 'query' | 'mutation'
  readonly text: string
  readonly name: string | undefined
  /** The variables of the client's operation that it needs. */
  readonly variableNames: readonly string[]
}

/** Part of an object: its fields, by response key, for the types on which they exist. */
export type RequiredSelection =
  | {
      readonly kind: 'field'
      /** The key that it has in the object, and the name that the subgraph gives it. */
      readonly key: string
      readonly name: string
      readonly selections: readonly RequiredSelection[] | undefined
    }
  | {
      readonly kind: 'fragment'
      readonly type: string
      readonly skipIf: string | undefined
      readonly includeIf: string | undefined
      readonly selections: readonly RequiredSelection[]
    }

/** Steps from the response's root to where objects stand; lists are always walked through, however deep. */
export type PlanPath = readonly PlanPathStep[]
export type PlanPathStep =
  | { readonly kind: 'field'; readonly key: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'type'; readonly types: readonly string[] }

export type RewriteStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'type'; readonly types: readonly string[] }

/** A change to what is sent or to what came: another value, or the same under another key. */
export type Rewrite =
  | { readonly kind: 'set'; readonly path: readonly RewriteStep[]; readonly value: string }
  | { readonly kind: 'rename'; readonly path: readonly RewriteStep[]; readonly to: string }

/** Objects that one `_entities` field looks up, and where they stand. */
export interface EntityGroup {
  /** The response key of the `_entities` field. */
  readonly alias: string
  /** The variable that takes the representations. */
  readonly variable: string
  readonly paths: readonly PlanPath[]
  readonly requires: readonly RequiredSelection[]
  readonly inputRewrites: readonly Rewrite[]
  readonly outputRewrites: readonly Rewrite[]
}

export interface FetchNode {
  readonly kind: 'fetch'
  readonly operation: FetchOperation
  readonly outputRewrites: readonly Rewrite[]
}

export interface EntitiesNode {
  readonly kind: 'entities'
  readonly operation: FetchOperation
  readonly groups: readonly EntityGroup[]
}

export type PlanNode =
  | { readonly kind: 'sequence'; readonly nodes: readonly PlanNode[] }
  | { readonly kind: 'parallel'; readonly nodes: readonly PlanNode[] }
  | {
      readonly kind: 'condition'
      readonly variable: string
      readonly whenTrue: PlanNode | undefined
      readonly whenFalse: PlanNode | undefined
    }
  | FetchNode
  | EntitiesNode

/** What to fetch, in which order; undefined where nothing is to be fetched. */
export type Plan = PlanNode | undefined

export interface Planner {
  /** Rejects with a `PlanError` where no plan can be made. */
  plan(document: DocumentNode, operationName: string | undefined): Promise<Plan>
}

export class PlanError extends Error {
  override readonly name = 'PlanError'
}

const noLabels = new Set<string>()

export function createPlanner(supergraphSdl: string): Planner {
  let native: QueryPlanner
  try {
    native = new QueryPlanner(supergraphSdl)
  } catch (cause) {
    throw new PlanError(`The supergraph cannot be planned: ${messageOf(cause)}`, { cause })
  }
  return {
    async plan(document, operationName) {
      try {
        const plan = await native.planAsync(print(document), operationName ?? null, noLabels, 0)
        return plan.node == null ? undefined : planNodeFrom(plan.node)
      } catch (cause) {
        throw new PlanError(`The operation cannot be planned: ${messageOf(cause)}`, { cause })
      }
    },
  }
}
