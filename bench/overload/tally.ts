/** The outcome of each due request, by the phase in which it was due. */
import type { Answer } from './answer-reader.ts'

export interface Phase {
  readonly name: string
  /** Arrivals per second. */
  readonly rate: number
  readonly seconds: number
}

export interface ArrivalsTask {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly operation: string
  readonly phases: readonly Phase[]
  /** The most connections at the same time. */
  readonly connections: number
  /** How long responses are awaited after the last phase. */
  readonly patienceMs: number
}

export interface PhaseResult {
  readonly name: string
  readonly rate: number
  readonly seconds: number
  readonly due: number
  /** Right responses within a second of when they were due. */
  readonly good: number
  /** Right responses that came later than that. */
  readonly late: number
  /** Responses with status 503 or 429. */
  readonly refused: number
  /** Other responses, and connections that ended. */
  readonly wrong: number
  /** Requests that were neither answered nor refused in the end, including those without a connection. */
  readonly unanswered: number
  readonly firstWrong: string | undefined
  /** Latencies of right responses, in milliseconds since they were due. */
  readonly p50: number
  readonly p99: number
  /** The median latency of refusals. */
  readonly refusedP50: number
  readonly refusedP99: number
  readonly slowest: Slowest
  readonly slowestRefused: Slowest
  /** How late the generator sent what it could have sent at once. */
  readonly ownDelayP99: number
  /** The longest time in which the generator did nothing, in milliseconds. It read no response meanwhile. */
  readonly ownStallMs: number
}

/** The origin of the slowest hundredth of a phase's responses; NaN if there were none. */
export interface Slowest {
  /** The share of them that was due in the first `beginningMs` of the phase. */
  readonly early: number
  /** The share of them that was the first request on its connection. */
  readonly first: number
  /** The p99 of requests that were due later than that. */
  readonly laterP99: number
  /** The p99 of requests on connections that had been used before. */
  readonly keptP99: number
}

/** Right responses in a quarter of a second, by when they were due. */
export interface Slice {
  /** Since the start of the arrivals, in milliseconds. */
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
  /** A request that was due at `due` is sent at `now`. */
  sent(due: number, now: number): void
  /** `isFirst` says that it is the first on its connection, so that its time includes connecting. */
  answered(due: number, now: number, answer: Pick<Answer, 'status' | 'start'>, isFirst: boolean): void
  failed(due: number, why: string): void
  connections(count: number): void
  /** The generator checks the clock again, for the first time since `from`. */
  looked(from: number, now: number): void
  result(): ArrivalsResult
}

/** A response that is later than this is of no use to its client. */
export const usefulMs = 1000
export const sliceMs = 250
/** Overload is not recognised at once, so requests that are due in this time of a phase are counted separately. */
export const beginningMs = 200

/** Numbers instead of objects, which the generator would have to keep and its garbage collector to visit. */
class Answered {
  readonly ms: number[] = []
  /** Since the start of the phase. */
  readonly dueMs: number[] = []
  /** 1 for the first request on its connection. */
  readonly isFirst: number[] = []

  push(ms: number, dueMs: number, isFirst: boolean): void {
    this.ms.push(ms)
    this.dueMs.push(dueMs)
    this.isFirst.push(isFirst ? 1 : 0)
  }
}

interface Counts {
  good: number
  late: number
  wrong: number
  firstWrong: string | undefined
  readonly accepted: Answered
  readonly refusals: Answered
  readonly ownDelays: number[]
  ownStallMs: number
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
      accepted: new Answered(),
      refusals: new Answered(),
      ownDelays: [],
      ownStallMs: 0,
    }),
  )
  const slices = Array.from({ length: Math.ceil((ends.at(-1) ?? 0) / sliceMs) }, () => ({
    good: 0,
    latencies: [] as number[],
  }))
  const phaseAt = (due: number): number => ends.findIndex((end) => due - started < end)
  const countsAt = (due: number): Counts | undefined => counts[phaseAt(due)]
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
    answered(due, now, { status, start }, isFirst) {
      const at = phaseAt(due)
      const phase = counts[at]
      if (phase === undefined) return
      const ms = now - due
      const dueMs = due - started - (ends[at - 1] ?? 0)
      if (status === 503 || status === 429) {
        phase.refusals.push(ms, dueMs, isFirst)
        return
      }
      if (status !== 200 || start.includes('"errors":[{')) {
        wrong(due, `${status} ${start.toString('utf8', 0, 300)}`)
        return
      }
      phase.accepted.push(ms, dueMs, isFirst)
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
    looked(from, now) {
      const phase = countsAt(from)
      if (phase !== undefined) phase.ownStallMs = Math.max(phase.ownStallMs, now - from)
    },
    connections(count) {
      most = Math.max(most, count)
    },
    result: () => ({
      phases: phases.map(({ name, rate, seconds }, at): PhaseResult => {
        const { good, late, wrong, firstWrong, accepted, refusals, ownDelays, ownStallMs } = counts[
          at
        ] as Counts
        const due = Math.round(rate * seconds)
        const refused = refusals.ms.length
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
          p50: quantile(accepted.ms, 0.5),
          p99: quantile(accepted.ms, 0.99),
          refusedP50: quantile(refusals.ms, 0.5),
          refusedP99: quantile(refusals.ms, 0.99),
          slowest: slowestOf(accepted),
          slowestRefused: slowestOf(refusals),
          ownDelayP99: quantile(ownDelays, 0.99),
          ownStallMs,
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

function slowestOf({ ms, dueMs, isFirst }: Answered): Slowest {
  const limit = quantile(ms, 0.99)
  const isEarly = (at: number): boolean => (dueMs[at] ?? 0) < beginningMs
  const slowest = [...ms.keys()].filter((at) => (ms[at] ?? 0) >= limit)
  const share = (is: (at: number) => boolean): number => slowest.filter(is).length / slowest.length
  const p99 = (of: (at: number) => boolean): number =>
    quantile(
      ms.filter((_, at) => of(at)),
      0.99,
    )
  return {
    early: share(isEarly),
    first: share((at) => isFirst[at] === 1),
    laterP99: p99((at) => !isEarly(at)),
    keptP99: p99((at) => isFirst[at] === 0),
  }
}

/** NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
