/**
 * A time range that grows. After its window, a subscriber gets each finished step once. Results are kept as far
 * back as the widest window reaches, so that later subscribers cost no call for what is known.
 */
import type { LiveClock, LiveEvent } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { LiveQueue, type Pace, type PollStrategy, Topic, type TopicOptions } from '../../kit/polling/index.ts'
import type { MetricsClient } from '../client.ts'
import type { TailModel } from '../model.ts'
import { operations } from '../operations.ts'
import {
  joined,
  lastStepAt,
  mostSteps,
  pointsIn,
  type RangeArguments,
  type RangeSlice,
  seriesOf,
  within,
} from './range-slices.ts'

/** A timer that fires a little early must not find its step unfinished. */
const marginMs = 20
/** How many points of one expression are kept for later subscribers. */
const mostPoints = 250_000
/** It is worded like the service's own warnings, because an event has no other place for it. */
const oddSeries = 'The metrics service sent malformed series, which are left out.'
/** How many points of sent steps are passed to a process that may lack some. */
const mostPointsAgain = 20_000

interface RangeOptions {
  readonly query: string
  readonly stepMs: number
  readonly pace: Pace
}

export class RangePoller {
  readonly #clock: LiveClock
  readonly #client: MetricsClient
  readonly #query: string
  readonly #stepMs: number
  /** The number of steps in each subscriber's window, and the first step that it lacks. */
  readonly #windows = new Map<LiveQueue<TailModel>, { readonly steps: number; readonly from: number }>()
  /** The slices have no hole between them. */
  #kept: readonly RangeSlice[] = []
  /** The last step that was sent; undefined until the window of the first subscriber was read. */
  #last: number | undefined
  /** News that arrived before then. */
  #early: RangeSlice[] = []
  /** The time between the end of a step and its evaluation. */
  #delayMs = 0
  readonly #strategy: PollStrategy<null, RangeSlice>
  readonly topic

  constructor(topicOptions: TopicOptions, client: MetricsClient, { query, stepMs, pace }: RangeOptions) {
    this.#clock = topicOptions.host.clock
    this.#client = client
    this.#query = query
    this.#stepMs = stepMs
    this.#strategy = {
      field: 'metricsRange',
      pace,
      want: () => null,
      units: () => 0,
      // A poll is due right after the end of a step, so that no step waits long.
      dueAt: (lastPollAt, intervalMs) =>
        lastStepAt(lastPollAt - this.#delayMs, stepMs) +
        Math.ceil(intervalMs / stepMs) * stepMs +
        this.#delayMs +
        marginMs,
      poll: async (_, { whole }, request) => {
        const to = await this.#lastStep(request)
        if (this.#last === undefined) return { news: undefined }
        const next = this.#last + stepMs
        // Steps that are longer ago than one query can reach are left out.
        const from = Math.max(next, to - (mostSteps - 1) * stepMs)
        const fresh = to < next ? undefined : await this.#evaluate(from, to, request)
        const sent = whole && from === next ? this.#lastOf(this.#kept, 0, mostPointsAgain) : []
        return {
          news: joined(fresh === undefined ? sent : [...sent, fresh]),
          unchanged: fresh === undefined,
        }
      },
      take: (news) => {
        if (this.#last === undefined) {
          this.#early.push(news)
          return
        }
        // A step that was sent is not sent again, whatever the service now returns for it.
        const fresh = within(news, this.#last + stepMs, Number.POSITIVE_INFINITY)
        if (fresh === undefined) return
        const gap = fresh.from > this.#last + stepMs
        this.#last = fresh.to
        this.#keep(gap ? [fresh] : [...this.#kept, fresh])
        const event = this.#eventOf(fresh, gap)
        for (const [queue, { from }] of this.#windows) {
          // A subscriber that was elsewhere may have later steps than were sent here.
          const lacked = within(fresh, from, Number.POSITIVE_INFINITY)
          if (lacked !== undefined) queue.push(lacked === fresh ? event : this.#eventOf(lacked, false))
        }
      },
      isMissing: () => false,
    }
    this.topic = new Topic<TailModel, null, RangeSlice>(topicOptions, this.#strategy)
  }

  async subscribe(
    { steps, afterMs }: RangeArguments,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): Promise<LiveQueue<TailModel>> {
    const now = await this.#lastStep(request)
    const begin = Math.max(now - (steps - 1) * this.#stepMs, 0)
    const resumed = afterMs === undefined ? undefined : lastStepAt(afterMs, this.#stepMs) + this.#stepMs
    const from = Math.max(begin, resumed ?? begin)
    if (from <= now) await this.#reach(from, request)
    else if (this.#last === undefined) this.#last = now
    const queue = new LiveQueue<TailModel>(this, first, true)
    const all = joined(this.#kept.flatMap((slice) => within(slice, from, Number.POSITIVE_INFINITY) ?? []))
    const gap = (resumed !== undefined && resumed < begin) || (all !== undefined && all.from > from)
    if (all !== undefined) queue.push(this.#eventOf(all, gap))
    this.#windows.set(queue, { steps, from })
    this.#keep(this.#kept)
    this.topic.add(queue, request, undefined)
    return queue
  }

  left(queue: LiveQueue<TailModel>): void {
    this.#windows.delete(queue)
    this.topic.remove(queue)
  }

  async #lastStep(request: SubgraphRequest): Promise<number> {
    this.#delayMs = await this.#client.delayMs(request)
    return lastStepAt(this.#clock.now() - this.#delayMs, this.#stepMs)
  }

  async #evaluate(from: number, to: number, request: SubgraphRequest): Promise<RangeSlice> {
    const call = {
      operation: operations.queryRange,
      parameters: [
        ['query', this.#query],
        ['start', textOf(from)],
        ['end', textOf(to)],
        ['step', textOf(this.#stepMs)],
      ],
      timeoutSeconds: undefined,
    } as const
    const { envelope, error } = (await this.#client.query(call, request)).parsed()
    if (error !== undefined) throw error
    const { items: series, malformedCount } = seriesOf(envelope.data)
    const { warnings } = envelope
    return { from, to, series, warnings: malformedCount === 0 ? warnings : [...warnings, oddSeries] }
  }

  /** The newest slices, as far as they reach back to `oldest` and have at most `most` points. */
  #lastOf(slices: readonly RangeSlice[], oldest: number, most: number): readonly RangeSlice[] {
    let points = 0
    let from = slices.length
    for (let at = slices.length - 1; at >= 0; at--) {
      const slice = slices[at]
      if (slice === undefined || slice.to < oldest) break
      points += pointsIn(slice)
      if (points > most) break
      from = at
    }
    return slices.slice(from)
  }

  #keep(slices: readonly RangeSlice[]): void {
    const widest = Math.max(0, ...[...this.#windows.values()].map(({ steps }) => steps))
    this.#kept = this.#lastOf(slices, (this.#last ?? 0) - widest * this.#stepMs, mostPoints)
  }

  #eventOf(slice: RangeSlice, gap: boolean): LiveEvent<TailModel> {
    return {
      value: {
        start: slice.from / 1000,
        end: slice.to / 1000,
        step: this.#stepMs / 1000,
        gap,
        series: slice.series,
        warnings: slice.warnings,
      },
      id: textOf(slice.to),
    }
  }

  /** Reads what is unknown between a time and the last step. */
  async #reach(from: number, request: SubgraphRequest): Promise<void> {
    if (this.#last === undefined) {
      const to = await this.#lastStep(request)
      const slice = await this.#evaluate(Math.min(from, to), to, request)
      // Another subscriber may have been faster.
      if (this.#last === undefined) {
        this.#last = to
        this.#kept = [slice]
        const told = this.#early
        this.#early = []
        for (const news of told) this.#strategy.take(news, false)
        return
      }
    }
    const known = this.#kept[0]?.from ?? this.#last + this.#stepMs
    if (known <= from) return
    const older = await this.#evaluate(from, known - this.#stepMs, request)
    if ((this.#kept[0]?.from ?? this.#last + this.#stepMs) === known) this.#kept = [older, ...this.#kept]
  }
}

/** Milliseconds as seconds, in the form of the API. */
function textOf(milliseconds: number): string {
  return String(milliseconds / 1000)
}
