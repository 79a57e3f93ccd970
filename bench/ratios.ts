/**
 * A candidate's figures as parts of the ceiling's. Within a round it is held against the ceiling beside it, which had the
 * same machine in the same second. That is one process of several, and processes of the same program were seen to differ
 * by up to a tenth for as long as they ran. So the ratio to the ceiling beside it is multiplied by what that ceiling is of
 * the mean of all.
 */
import { median } from './median.ts'
import type { Figures } from './report.ts'
import type { Comparison } from './turns.ts'

const names = ['rps', 'p50', 'p99', 'cpu'] as const

/** `own` and each of `all` are the rounds of one candidate, in their order; `own` is among `all`. */
export function ratiosOf(own: readonly Comparison[], all: readonly (readonly Comparison[])[]): Figures {
  const ratio = (of: keyof Figures): number =>
    median(own.map(({ candidate, ceiling }) => candidate.figures[of] / ceiling.figures[of])) *
    ceilingPart(own, all, of)
  const [rps, p50, p99, cpu] = names.map(ratio) as [number, number, number, number]
  return { rps, p50, p99, cpu }
}

/** What the ceiling beside a candidate is of the mean of all. */
export function ceilingPart(
  own: readonly Comparison[],
  all: readonly (readonly Comparison[])[],
  of: keyof Figures,
): number {
  return median(
    own.map(({ ceiling }, round) => {
      const those = all.flatMap((rounds) => rounds[round]?.ceiling.figures[of] ?? [])
      return ceiling.figures[of] / (those.reduce((sum, each) => sum + each, 0) / those.length)
    }),
  )
}
