/**
 * A time range that grows: after its window a subscriber gets the steps that are over, once each. What was evaluated is kept
 * as far as the widest window reaches, so that those who come later ask the service for nothing that is known.
 */
import type { LiveEvent } from '../../../shared/polling.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { createTopic, LiveQueue, type Pace, type Question, type TopicHost } from '../../kit/polling/index.ts'
import type { MetricsClient } from '../client.ts'
import type { TailModel } from '../model.ts'
import { operations } from '../operations.ts'
import {
  joined,
  lastStepAt,
  mostSteps,
  pointsIn,
  type RangeWish,
  type Stretch,
  seriesOf,
  within,
} from './steps.ts'

/** A timer that runs a little early must not find that the step is not over yet. */
const marginMs = 20
/** How many points of one expression are kept for those who come later. */
const mostPoints = 250_000
/** Said as the service's own warnings are: an event has no other place for it. */
const oddSeries = 'The metrics service sent series in a form that it does not promise; they are left out.'
/** How many points of steps that were sent are handed to a process that may lack some. */
const mostPointsAgain = 20_000

export interface RangePoller {
  hold(): () => void
  close(): void
  readonly price: (units: number, wishMs: undefined) => ReturnType<ReturnType<typeof createTopic>['price']>
  subscribe(
    wish: RangeWish,
    request: SubgraphRequest,
    first: Readonly<Record<string, unknown>>,
  ): Promise<LiveQueue<TailModel>>
}

export function createRangePoller(
  host: TopicHost,
  client: MetricsClient,
  {
    query,
    stepMs,
    credentialKey,
    pace,
  }: { readonly query: string; readonly stepMs: number; readonly credentialKey: string; readonly pace: Pace },
  ended: () => void,
): RangePoller {
  /** The steps that each subscriber's window has. */
  const windows = new Map<LiveQueue<TailModel>, number>()
  /** Without a hole between them. */
  let kept: readonly Stretch[] = []
  /** The last step that was sent; undefined until the first subscriber's window was read. */
  let last: number | undefined
  /** What came before that. */
  let early: Stretch[] = []
  /** A step is asked for so long after it is over. */
  let delayMs = 0

  /** The last step that can be asked for. */
  async function lastStep(request: SubgraphRequest): Promise<number> {
    delayMs = await client.delayMs(request)
    return lastStepAt(host.clock.now() - delayMs, stepMs)
  }

  async function evaluate(from: number, to: number, request: SubgraphRequest): Promise<Stretch> {
    const call = {
      operation: operations.queryRange,
      parameters: [
        ['query', query],
        ['start', textOf(from)],
        ['end', textOf(to)],
        ['step', textOf(stepMs)],
      ],
      timeoutSeconds: undefined,
    } as const
    const { envelope, error } = (await client.query(call, request)).parsed()
    if (error !== undefined) throw error
    const { items: series, odd } = seriesOf(envelope.data)
    const { warnings } = envelope
    return { from, to, series, warnings: odd === 0 ? warnings : [...warnings, oddSeries] }
  }

  /** The last of these, as far as they reach back to a time and have no more points than that. */
  function lastOf(stretches: readonly Stretch[], oldest: number, most: number): readonly Stretch[] {
    let points = 0
    let from = stretches.length
    for (let at = stretches.length - 1; at >= 0; at--) {
      const stretch = stretches[at]
      if (stretch === undefined || stretch.to < oldest) break
      points += pointsIn(stretch)
      if (points > most) break
      from = at
    }
    return stretches.slice(from)
  }

  function keep(stretches: readonly Stretch[]): void {
    const widest = Math.max(0, ...windows.values())
    kept = lastOf(stretches, (last ?? 0) - widest * stepMs, mostPoints)
  }

  const eventOf = (stretch: Stretch, gap: boolean): LiveEvent<TailModel> => ({
    value: {
      start: stretch.from / 1000,
      end: stretch.to / 1000,
      step: stepMs / 1000,
      gap,
      series: stretch.series,
      warnings: stretch.warnings,
    },
    id: textOf(stretch.to),
  })

  const question: Question<null, Stretch> = {
    key: `range ${stepMs} ${query}`,
    field: 'metricsRange',
    credentialKey,
    pace,
    want: () => null,
    units: () => 0,
    // Right after the end of a step, so that no step waits for long.
    dueAt: (lastPollAt, intervalMs) =>
      lastStepAt(lastPollAt - delayMs, stepMs) + Math.ceil(intervalMs / stepMs) * stepMs + delayMs + marginMs,
    async poll(_, { whole }, request) {
      const to = await lastStep(request)
      if (last === undefined) return { news: undefined }
      const next = last + stepMs
      // What is longer ago than a query may reach is missing.
      const from = Math.max(next, to - (mostSteps - 1) * stepMs)
      const fresh = to < next ? undefined : await evaluate(from, to, request)
      const sent = whole && from === next ? lastOf(kept, 0, mostPointsAgain) : []
      return {
        news: joined(fresh === undefined ? sent : [...sent, fresh]),
        unchanged: fresh === undefined,
      }
    },
    take(news) {
      if (last === undefined) {
        early.push(news)
        return
      }
      // Steps that were sent are not sent again, whatever the service says of them now.
      const fresh = within(news, last + stepMs, Number.POSITIVE_INFINITY)
      if (fresh === undefined) return
      const gap = fresh.from > last + stepMs
      last = fresh.to
      keep(gap ? [fresh] : [...kept, fresh])
      const event = eventOf(fresh, gap)
      for (const queue of windows.keys()) queue.push(event)
    },
    isMissing: () => false,
  }
  const topic = createTopic<TailModel, null, Stretch>(host, question, ended)

  /** Makes known what lies between a time and the last step. */
  async function reach(from: number, request: SubgraphRequest): Promise<void> {
    if (last === undefined) {
      const to = await lastStep(request)
      const stretch = await evaluate(Math.min(from, to), to, request)
      // Somebody else may have been quicker.
      if (last === undefined) {
        last = to
        kept = [stretch]
        const told = early
        early = []
        for (const news of told) question.take(news, false)
        return
      }
    }
    const known = kept[0]?.from ?? last + stepMs
    if (known <= from) return
    const older = await evaluate(from, known - stepMs, request)
    if ((kept[0]?.from ?? last + stepMs) === known) kept = [older, ...kept]
  }

  return {
    hold: () => topic.hold(),
    close: () => topic.close(),
    price: (units, wishMs) => topic.price(units, wishMs),

    async subscribe({ steps, afterMs }, request, first) {
      const now = await lastStep(request)
      const begin = Math.max(now - (steps - 1) * stepMs, 0)
      const resumed = afterMs === undefined ? undefined : lastStepAt(afterMs, stepMs) + stepMs
      const from = Math.max(begin, Math.min(resumed ?? begin, now + stepMs))
      if (from <= now) await reach(from, request)
      else if (last === undefined) last = now
      const queue: LiveQueue<TailModel> = new LiveQueue((left) => {
        windows.delete(left)
        topic.remove(left)
      }, first)
      const all = joined(kept.flatMap((stretch) => within(stretch, from, Number.POSITIVE_INFINITY) ?? []))
      const gap = (resumed !== undefined && resumed < begin) || (all !== undefined && all.from > from)
      if (all !== undefined) queue.push(eventOf(all, gap))
      windows.set(queue, steps)
      keep(kept)
      topic.add(queue, request, undefined)
      return queue
    },
  }
}

/** Milliseconds as seconds, in the form of the API. */
function textOf(milliseconds: number): string {
  return String(milliseconds / 1000)
}
