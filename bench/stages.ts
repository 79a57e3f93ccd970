/**
 * The stages of a run: the candidates are started, their responses compared with the ceiling's, and all of them
 * warmed up. The calls of each operation are counted, and then come the rounds. `wrong` collects what is found
 * wrong, and its candidate is not timed any more.
 */
import { messageOf } from '../shared/runtime/thrown.ts'
import { ask, dataOf } from './answers.ts'
import type { Candidate, CandidateName, Starter } from './candidates.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { median } from './median.ts'
import type { Operation } from './operations.ts'
import type { Worker } from './processes.ts'
import { ceilingPart, ratiosOf } from './ratios.ts'
import type { Cost, Figures, Result, Spread } from './report.ts'
import { type Comparison, compareInTurns } from './turns.ts'
import type { UpstreamCounts } from './upstream.ts'

/**
 * A candidate and its own ceiling: both had the same work, and the same rest while others ran. A single ceiling for
 * all would have had ten times the work of each candidate, and V8 keeps optimizing code that runs for a long time.
 */
export interface Pair {
  readonly candidate: Candidate
  readonly ceiling: Candidate
}

export interface Participants {
  readonly pairs: readonly Pair[]
  /** The candidates in the tables. The ceilings are all the same, so the tables have one of them. */
  readonly shown: readonly Candidate[]
  readonly absent: readonly { readonly name: CandidateName; readonly why: string }[]
}

/** Starts all named candidates, each with a ceiling. The ceiling alone is compared with itself. */
export async function startCandidates(
  starter: Starter,
  names: readonly CandidateName[],
): Promise<Participants> {
  const pairs: Pair[] = []
  const absent: { name: CandidateName; why: string }[] = []
  const start = async (name: CandidateName): Promise<Candidate | undefined> => {
    try {
      return await starter.start(name)
    } catch (error) {
      const why = messageOf(error)
      absent.push({ name, why })
      console.log(`${name} did not start: ${why.slice(0, 600)}`)
      return undefined
    }
  }
  const named = names.filter((name) => name !== 'ceiling')
  for (const name of named.length === 0 ? (['ceiling'] as const) : named) {
    const candidate = await start(name)
    const ceiling = candidate === undefined ? undefined : await start('ceiling')
    if (candidate === undefined || ceiling === undefined) continue
    pairs.push({ candidate, ceiling })
    console.log(`started ${name}`)
  }
  const [first] = pairs
  if (first === undefined) throw new Error('no candidate started')
  const candidates = pairs.map(({ candidate }) => candidate)
  const shown = first.candidate.name === 'ceiling' ? candidates : [first.ceiling, ...candidates]
  return { pairs, shown, absent }
}

export interface Stages {
  /**
   * Sends all operations to all candidates before any is timed. One whose responses differ from the ceiling's is
   * not timed.
   */
  compare(): Promise<void>
  /**
   * Load before anything is measured, until V8 has compiled most code. It runs several times through all
   * operations, because code that was compiled for the first is compiled again for the next. Each pass ends after a
   * number of requests, or seconds, for each operation.
   */
  warmUp(passes: number, seconds: number, requests: number): Promise<void>
  /** The cost of many clients at the same time for the services together. */
  measureCosts(): Promise<void>
  round(number: number, seconds: number): Promise<void>
  results(): readonly Result[]
  /** How much the ceilings differ, by operation; empty if there is only one. */
  spreads(): ReadonlyMap<string, Spread>
}

const same: Figures = { rps: 1, p50: 1, p99: 1, cpu: 1 }

export interface StageOptions {
  readonly participants: Participants
  readonly operations: readonly Operation[]
  readonly clients: Worker
  readonly counts: () => Promise<UpstreamCounts>
}

export function createStages({ participants, operations, clients, counts }: StageOptions): Stages {
  const { pairs, shown } = participants
  const keyOf = ({ name }: Candidate, operation: Operation): string => `${name} ${operation.name}`
  const wrong = new Map<string, string>()
  const costs = new Map<string, Cost>()
  const comparisons = new Map<string, Comparison[]>()

  /** `graphql-js` takes part in one operation only. */
  const takesPart = ({ name }: Candidate, operation: Operation): boolean =>
    name !== 'graphql-js' || operation.name === 'Q5typed'
  const isRunning = (candidate: Candidate, operation: Operation): boolean =>
    takesPart(candidate, operation) && !wrong.has(keyOf(candidate, operation))
  const running = (operation: Operation): readonly Pair[] =>
    pairs.filter(({ candidate }) => isRunning(candidate, operation))

  const load = (
    { url, headers }: Candidate,
    operation: Operation,
    seconds: number,
    from: number,
    requests?: number,
  ): Promise<LoadResult> => {
    const task: LoadTask = { url, headers, operation: operation.name, seconds, from, requests }
    return clients.ask<LoadResult>({ ...task })
  }

  async function compareOn(operation: Operation, { candidate, ceiling }: Pair): Promise<void> {
    for (const index of [3, 8, 11, 3]) {
      try {
        const expected = dataOf(await ask(ceiling, operation, index))
        const given = dataOf(await ask(candidate, operation, index))
        if (expected !== given || !expected.startsWith('{'))
          wrong.set(keyOf(candidate, operation), given.slice(0, 300))
      } catch (error) {
        wrong.set(keyOf(candidate, operation), String(error).slice(0, 300))
      }
    }
  }

  async function compareUnderLoad(
    operation: Operation,
    { candidate, ceiling }: Pair,
    seconds: number,
    from: number,
  ): Promise<Comparison> {
    const comparison = await compareInTurns(ceiling, candidate, seconds, (one, turn) =>
      load(one, operation, turn, from),
    )
    for (const { index, text } of comparison.candidate.samples) {
      const expected = await ask(ceiling, operation, index)
      if (text !== expected && dataOf(text) !== dataOf(expected))
        wrong.set(keyOf(candidate, operation), `under load: ${text.slice(0, 300)}`)
    }
    for (const [one, { failures, firstFailure }] of [
      [ceiling, comparison.ceiling],
      [candidate, comparison.candidate],
    ] as const) {
      if (failures > 0) wrong.set(keyOf(one, operation), `${failures} failures: ${firstFailure ?? ''}`)
    }
    return comparison
  }

  /** The rounds of each pair. */
  const roundsOf = (operation: Operation): readonly (readonly Comparison[])[] =>
    pairs.map(({ candidate }) => comparisons.get(keyOf(candidate, operation)) ?? [])

  function resultOf(candidate: Candidate, operation: Operation): Result {
    const key = keyOf(candidate, operation)
    const all = roundsOf(operation)
    const own = comparisons.get(key) ?? []
    // The displayed ceiling represents all of them.
    const isCeiling = candidate === pairs[0]?.ceiling
    const figures = isCeiling
      ? all.flat().map(({ ceiling }) => ceiling.figures)
      : own.map((comparison) => comparison.candidate.figures)
    const middle = (of: keyof Figures): number => median(figures.map((each) => each[of]))
    return {
      candidate: candidate.name,
      operation: operation.name,
      fault: wrong.get(key),
      figures: { rps: middle('rps'), p50: middle('p50'), p99: middle('p99'), cpu: middle('cpu') },
      ratios: isCeiling ? same : ratiosOf(own, all),
      cost: costs.get(key),
    }
  }

  /** The ratios of the slowest and the fastest ceiling to the mean of all, in requests per second. */
  function spreadOf(operation: Operation): Spread | undefined {
    const all = roundsOf(operation)
    const parts = all.filter((own) => own.length > 0).map((own) => ceilingPart(own, all, 'rps'))
    return parts.length < 2 ? undefined : { least: Math.min(...parts), most: Math.max(...parts) }
  }

  return {
    async compare() {
      for (const operation of operations) {
        for (const pair of pairs) if (takesPart(pair.candidate, operation)) await compareOn(operation, pair)
      }
      for (const [what, text] of wrong) console.log(`wrong: ${what}: ${text}`)
      console.log('answers compared')
    },

    async warmUp(passes, seconds, requests) {
      for (let pass = 0; pass < passes; pass++) {
        for (const operation of operations) {
          for (const { candidate, ceiling } of running(operation)) {
            for (const one of [ceiling, candidate]) await load(one, operation, seconds, 0, requests)
          }
        }
        console.log(`warmed up, ${pass + 1} of ${passes}`)
      }
    },

    async measureCosts() {
      for (const operation of operations) {
        for (const one of shown) {
          if (!isRunning(one, operation)) continue
          const before = await counts()
          const { requests } = await load(one, operation, 5, 100, operation.connections * 10)
          const after = await counts()
          costs.set(keyOf(one, operation), {
            calls: (after.calls - before.calls) / requests,
            units: (after.units - before.units) / requests,
          })
        }
      }
      console.log('calls counted')
    },

    async round(number, seconds) {
      for (const operation of operations) {
        const order = running(operation)
        for (const pair of number % 2 === 0 ? order : order.toReversed()) {
          const comparison = await compareUnderLoad(operation, pair, seconds, (number * 613) % 5000)
          const key = keyOf(pair.candidate, operation)
          comparisons.set(key, [...(comparisons.get(key) ?? []), comparison])
        }
      }
    },

    results: () =>
      operations.flatMap((operation) =>
        shown
          .filter((candidate) => takesPart(candidate, operation))
          .map((candidate) => resultOf(candidate, operation)),
      ),

    spreads: () =>
      new Map(
        operations.flatMap((operation) => {
          const spread = spreadOf(operation)
          return spread === undefined ? [] : [[operation.name, spread] as const]
        }),
      ),
  }
}
