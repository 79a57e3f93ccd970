/**
 * A candidate's figures as ratios to the ceiling's. Within a round it is compared with the ceiling beside it, which
 * had the same machine in the same second. That is one process of several, and processes of the same program were
 * observed to differ by up to a tenth as long as they run. So the ratio to the ceiling beside it is multiplied by
 * the ratio of that ceiling to the mean of all ceilings.
 */
import { median } from './median.ts'
import type { Figures } from './report.ts'
import type { Comparison } from './turns.ts'

const names = ['rps', 'p50', 'p99', 'cpu'] as const

/** `own` and each of `all` are the rounds of one candidate in order. `own` is among `all`. */
export function ratiosOf(own: readonly Comparison[], all: readonly (readonly Comparison[])[]): Figures {
  const ratio = (of: keyof Figures): number =>
    median(own.map(({ candidate, ceiling }) => candidate.figures[of] / ceiling.figures[of])) *
    ceilingPart(own, all, of)
  const [rps, p50, p99, cpu] = names.map(ratio) as [number, number, number, number]
  return { rps, p50, p99, cpu }
}

/** The ratio of the ceiling beside a candidate to the mean of all. */
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
