/** Cases that are written one by one: what each of a kind has in common is filled in. */
import type { Caller, Case, Expectation, Hole, Json, Road } from '../lib/types.ts'

export interface Draft {
  readonly about: string
  readonly operation: string
  readonly road?: Road
  readonly graph?: string
  readonly variables?: Readonly<Record<string, Json>>
  readonly neverSays?: readonly string[]
  readonly never?: readonly string[]
  /** Who asks, and what they get. */
  readonly steps: readonly (readonly [Caller, Expectation])[]
}

export const whole = (answer: Json): Expectation => ({ whole: answer })
/** One right answer in part; `at`: if its errors are. */
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
