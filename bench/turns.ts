/**
 * Compares a candidate with its ceiling in short turns. On a shared machine, the seconds differ more from each
 * other than the candidates. Two that take turns within a second are measured under the same load.
 */
import type { LoadResult } from './load.ts'
import { cpuOf } from './processes.ts'
import type { Figures } from './report.ts'

export interface Measured {
  readonly pids: readonly number[]
}

export interface Side {
  readonly figures: Figures
  readonly failures: number
  readonly firstFailure: string | undefined
  readonly samples: LoadResult['samples']
}

export interface Comparison {
  readonly ceiling: Side
  readonly candidate: Side
}

/** The longest turn, in seconds. */
const longestTurn = 0.5

/**
 * Seconds before it counts. Both were idle during other comparisons, and the first thousand requests after such a
 * rest cost up to a third more.
 */
const leadIn = 0.5

/** Each of both has load for this many seconds in all. */
export async function compareInTurns<C extends Measured>(
  ceiling: C,
  candidate: C,
  seconds: number,
  load: (one: C, seconds: number) => Promise<LoadResult>,
): Promise<Comparison> {
  const turns = Math.ceil(seconds / longestTurn)
  for (const one of [ceiling, candidate]) await load(one, leadIn)
  const top = { one: ceiling, tally: createTally() }
  const own = { one: candidate, tally: createTally() }
  for (let turn = 0; turn < turns; turn++) {
    // The order changes, too.
    for (const { one, tally } of turn % 2 === 0 ? [top, own] : [own, top]) {
      const before = cpuOf(one.pids)
      const result = await load(one, seconds / turns)
      tally.add(result, cpuOf(one.pids) - before)
    }
  }
  return { ceiling: top.tally.side(), candidate: own.tally.side() }
}

interface Tally {
  add(result: LoadResult, cpu: number): void
  side(): Side
}

/** The turns of one side together. Latencies are the means of the turns'. */
function createTally(): Tally {
  const results: LoadResult[] = []
  let cpu = 0
  const sum = (of: (result: LoadResult) => number): number =>
    results.reduce((all, result) => all + of(result), 0)
  return {
    add(result, spent) {
      results.push(result)
      cpu += spent
    },
    side() {
      const requests = sum((result) => result.requests)
      return {
        figures: {
          rps: requests / sum(({ seconds }) => seconds),
          p50: sum(({ p50 }) => p50) / results.length,
          p99: sum(({ p99 }) => p99) / results.length,
          cpu: cpu / requests,
        },
        failures: sum(({ failures }) => failures),
        firstFailure: results.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure,
        samples: results.flatMap(({ samples }) => samples),
      }
    },
  }
}
