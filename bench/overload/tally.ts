/** What became of each request that was due, by the phase in which it was due. */

export interface Phase {
  readonly name: string
  /** Arrivals a second. */
  readonly rate: number
  readonly seconds: number
}

export interface ArrivalsTask {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly operation: string
  readonly phases: readonly Phase[]
  /** The most connections at once. */
  readonly connections: number
  /** How long answers are waited for after the last phase. */
  readonly patienceMs: number
}

export interface PhaseResult {
  readonly name: string
  readonly rate: number
  readonly seconds: number
  readonly due: number
  /** Right answers within a second of when they were due. */
  readonly good: number
  /** Right answers, later than that. */
  readonly late: number
  /** Answers with status 503 or 429. */
  readonly refused: number
  /** Other answers, and connections that ended. */
  readonly wrong: number
  /** Neither answered nor refused in the end, those included for which there was no connection. */
  readonly unanswered: number
  readonly firstWrong: string | undefined
  /** Latencies of right answers, in milliseconds from when they were due. */
  readonly p50: number
  readonly p99: number
  /** Of refusals. */
  readonly refusedP50: number
  readonly refusedP99: number
  /** How late the generator sent what it could send at once. */
  readonly ownDelayP99: number
}

/** Right answers of one quarter of a second, by when they were due. */
export interface Slice {
  /** From the start of the arrivals, in milliseconds. */
  readonly at: number
  readonly due: number
  readonly good: number
  readonly p99: number
}

export interface ArrivalsResult {
  readonly phases: readonly PhaseResult[]
  readonly slices: readonly Slice[]
  readonly mostConnections: number
}

export interface Tally {
  start(at: number): void
  /** A request that was due at `due` leaves at `now`. */
  sent(due: number, now: number): void
  answered(due: number, now: number, answer: { readonly status: number; readonly body: Buffer }): void
  failed(due: number, why: string): void
  connections(count: number): void
  result(): ArrivalsResult
}

/** An answer later than this is of no use to its client. */
export const usefulMs = 1000
export const sliceMs = 250
/** Beyond this an answer is not searched for errors: those come first in it. */
const searched = 4096

interface Counts {
  good: number
  late: number
  wrong: number
  firstWrong: string | undefined
  readonly latencies: number[]
  readonly refusals: number[]
  readonly ownDelays: number[]
}

export function createTally({ phases }: Pick<ArrivalsTask, 'phases'>): Tally {
  let started = 0
  let most = 0
  const ends: number[] = []
  for (const { seconds } of phases) ends.push((ends.at(-1) ?? 0) + seconds * 1000)
  const counts = phases.map(
    (): Counts => ({
      good: 0,
      late: 0,
      wrong: 0,
      firstWrong: undefined,
      latencies: [],
      refusals: [],
      ownDelays: [],
    }),
  )
  const slices = Array.from({ length: Math.ceil((ends.at(-1) ?? 0) / sliceMs) }, () => ({
    good: 0,
    latencies: [] as number[],
  }))
  const countsAt = (due: number): Counts | undefined => {
    const at = due - started
    return counts[ends.findIndex((end) => at < end)]
  }
  const wrong = (due: number, why: string): void => {
    const phase = countsAt(due)
    if (phase === undefined) return
    phase.wrong += 1
    phase.firstWrong ??= why.slice(0, 300)
  }
  return {
    start(at) {
      started = at
    },
    sent(due, now) {
      countsAt(due)?.ownDelays.push(now - due)
    },
    answered(due, now, { status, body }) {
      const phase = countsAt(due)
      if (phase === undefined) return
      const ms = now - due
      if (status === 503 || status === 429) {
        phase.refusals.push(ms)
        return
      }
      if (status !== 200 || body.subarray(0, searched).includes('"errors":[{')) {
        wrong(due, `${status} ${body.toString('utf8', 0, 300)}`)
        return
      }
      phase.latencies.push(ms)
      const slice = slices[Math.floor((due - started) / sliceMs)]
      slice?.latencies.push(ms)
      if (ms > usefulMs) {
        phase.late += 1
        return
      }
      phase.good += 1
      if (slice !== undefined) slice.good += 1
    },
    failed: wrong,
    connections(count) {
      most = Math.max(most, count)
    },
    result: () => ({
      phases: phases.map(({ name, rate, seconds }, at): PhaseResult => {
        const { good, late, wrong, firstWrong, latencies, refusals, ownDelays } = counts[at] as Counts
        const due = Math.round(rate * seconds)
        const refused = refusals.length
        return {
          name,
          rate,
          seconds,
          due,
          good,
          late,
          refused,
          wrong,
          unanswered: Math.max(0, due - good - late - refused - wrong),
          firstWrong,
          p50: quantile(latencies, 0.5),
          p99: quantile(latencies, 0.99),
          refusedP50: quantile(refusals, 0.5),
          refusedP99: quantile(refusals, 0.99),
          ownDelayP99: quantile(ownDelays, 0.99),
        }
      }),
      slices: slices.map(({ good, latencies }, at): Slice => {
        const from = at * sliceMs
        const { rate = 0 } = phases[ends.findIndex((end) => from < end)] ?? {}
        return { at: from, due: (rate * sliceMs) / 1000, good, p99: quantile(latencies, 0.99) }
      }),
      mostConnections: most,
    }),
  }
}

/** Not a number where there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
