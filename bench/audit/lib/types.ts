/** What a case is: an operation over one of the graphs, who asks it, and everything that may come of it. */

/** The ten kinds of hole, by what somebody would try. */
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
 * How the refused field is reached: as a root field or below one, in an entity of another subgraph, through `node`, by
 * `_entities` asked of the gateway itself, in a part that `@defer` delays, or in the events of a subscription.
 */
export const roads = ['root', 'entity', 'node', 'direct', 'deferred', 'live'] as const
export type Road = (typeof roads)[number]

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The caller: without a token, or with one that has these scopes. */
export type Caller = 'anonymous' | readonly string[]

export interface Step {
  readonly by: Caller
  /** Another text than the case's own. */
  readonly operation?: string
  readonly variables?: Readonly<Record<string, Json>>
  readonly expect: Expectation
}

export type Expectation =
  /** The whole answer and no error: this caller may see all of it. Of a subscription: each of its two events. */
  | { readonly whole: Json }
  /**
   * Something is refused. `data`: each answer that is right, if the gateway answers in part; refusing the whole
   * operation always is. `at`: the paths of the errors, without positions in lists, of which one at least must be there
   * for each; empty if any error will do.
   */
  | {
      readonly data: readonly Json[]
      readonly at: readonly string[]
      /** There may be no error either: nothing of what is refused would have been in this answer. */
      readonly quiet?: true
    }
  /** The document is not one of this schema: errors, and no data. */
  | { readonly invalid: true }
  /** Any answer, as long as it does not say what it never may. */
  | { readonly any: true }

export interface Case {
  /** Unique: hole, what it is about, form. */
  readonly id: string
  readonly hole: Hole
  readonly road: Road
  /** Which graph, by its name. */
  readonly graph: string
  /** In words: what must not happen. */
  readonly rule: string
  readonly operation: string
  readonly variables?: Readonly<Record<string, Json>>
  readonly steps: readonly Step[]
  /** Steps are sent at the same time. */
  readonly together?: boolean
  /** Texts that no answer may have. */
  readonly neverSays?: readonly string[]
  /** Fields whose resolvers must not run in a subgraph while a step that is refused runs. */
  readonly never: readonly string[]
}

export interface SubgraphSource {
  readonly name: string
  readonly sdl: string
  /** By type and field; what is not here reads the property of the field's name. */
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A subgraph that is being served. */
export interface ServedSubgraph {
  readonly name: string
  readonly url: string
  /** As it was composed, with its `@link`. */
  readonly sdl: string
}

export interface Graph {
  readonly name: string
  /** Open operations that show whether a gateway delays parts, and has subscriptions. Without one it is taken to. */
  readonly probes?: { readonly [road in Road]?: string }
  readonly subgraphs: readonly SubgraphSource[]
}

/** Why a case did not pass, the worst first. */
export const verdicts = ['leak', 'asked', 'shut', 'answer', 'path', 'broken', 'absent', 'pass'] as const
export type Verdict = (typeof verdicts)[number]

export interface Outcome {
  readonly id: string
  readonly hole: Hole
  readonly road: Road
  readonly verdict: Verdict
  readonly why: string
  /** Requests that each subgraph got. */
  readonly calls: Readonly<Record<string, number>>
}
