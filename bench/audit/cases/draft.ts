/** Cases that are written individually. What all cases of a kind share is filled in here. */
import type { Caller, Case, Expectation, Hole, Json, Road } from '../lib/types.ts'

export interface Draft {
  readonly about: string
  readonly operation: string
  readonly road?: Road
  readonly graph?: string
  readonly variables?: Readonly<Record<string, Json>>
  readonly neverSays?: readonly string[]
  readonly never?: readonly string[]
  /** The callers, and the expected result of each. */
  readonly steps: readonly (readonly [Caller, Expectation])[]
}

export const whole = (answer: Json): Expectation => ({ whole: answer })
/** One right partial response. `at` are the paths of its errors. */
export const part = (data: Json, ...at: readonly string[]): Expectation => ({ data: [data], at })
export const invalid: Expectation = { invalid: true }
export const anything: Expectation = { any: true }

export const casesFrom = (
  hole: Hole,
  graph: string,
  rule: string,
  drafts: readonly Draft[],
): readonly Case[] =>
  drafts.map(({ about, road = 'root', never = [], steps, ...rest }) => ({
    graph,
    ...rest,
    id: `${hole}: ${about}`,
    hole,
    road,
    rule,
    never,
    steps: steps.map(([by, expect]) => ({ by, expect })),
  }))
