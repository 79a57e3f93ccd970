/** The types of a case: an operation over one of the graphs, its callers, and all acceptable results. */

/** The ten kinds of hole, named by what an attacker would try. */
export const holes = [
  'alias',
  'fragment',
  'abstract',
  'requires',
  'renamed',
  'caches',
  'mutations',
  'introspection',
  'prototype',
  'oracle',
] as const
export type Hole = (typeof holes)[number]

/**
 * How the refused field is reached: as a root field or below one, in an entity of another subgraph, through `node`,
 * by `_entities` at the gateway itself, in a part that `@defer` delays, or in the events of a subscription.
 */
export const roads = ['root', 'entity', 'node', 'direct', 'deferred', 'live'] as const
export type Road = (typeof roads)[number]

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The caller: without a token, or with one that has these scopes. */
export type Caller = 'anonymous' | readonly string[]

export interface Step {
  readonly by: Caller
  /** Replaces the operation of the case. */
  readonly operation?: string
  readonly variables?: Readonly<Record<string, Json>>
  readonly expect: Expectation
}

export type Expectation =
  /**
   * The whole response without an error, because this caller may see all of it. For a subscription, it is each of
   * its two events.
   */
  | { readonly whole: Json }
  /**
   * Something is refused. `data` has each right response of a gateway that responds in part; refusing the whole
   * operation is always right. `at` has the paths of the errors, without positions in lists; for each of them at
   * least one error is required. If `at` is empty, any error is accepted.
   */
  | {
      readonly data: readonly Json[]
      readonly at: readonly string[]
      /** An error may also be missing, because the response would not have had the refused data anyway. */
      readonly quiet?: true
    }
  /** The document is not valid for this schema: errors, and no data. */
  | { readonly invalid: true }
  /** Any response that contains nothing forbidden. */
  | { readonly any: true }

export interface Case {
  /** Unique: hole, subject, form. */
  readonly id: string
  readonly hole: Hole
  readonly road: Road
  /** The name of the graph. */
  readonly graph: string
  /** What must not happen, in words. */
  readonly rule: string
  readonly operation: string
  readonly variables?: Readonly<Record<string, Json>>
  readonly steps: readonly Step[]
  /** Whether the steps are sent at the same time. */
  readonly together?: boolean
  /** Texts that no response may contain. */
  readonly neverSays?: readonly string[]
  /** Fields whose resolvers must not run in a subgraph during a refused step. */
  readonly never: readonly string[]
}

export interface SubgraphSource {
  readonly name: string
  readonly sdl: string
  /** By type and field. Other fields read the property of their name. */
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A subgraph that is running. */
export interface ServedSubgraph {
  readonly name: string
  readonly url: string
  /** The SDL as it was composed, with its `@link`. */
  readonly sdl: string
}

export interface Graph {
  readonly name: string
  /**
   * Open operations that show whether a gateway delays parts, and has subscriptions. Without one it is assumed to.
   */
  readonly probes?: { readonly [road in Road]?: string }
  readonly subgraphs: readonly SubgraphSource[]
}

/** The reasons why a case did not pass, the worst first. */
export const verdicts = ['leak', 'asked', 'shut', 'answer', 'path', 'broken', 'absent', 'pass'] as const
export type Verdict = (typeof verdicts)[number]

export interface Outcome {
  readonly id: string
  readonly hole: Hole
  readonly road: Road
  readonly verdict: Verdict
  readonly why: string
  /** How many requests each subgraph got. */
  readonly calls: Readonly<Record<string, number>>
}
