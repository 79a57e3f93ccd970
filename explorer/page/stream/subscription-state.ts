/**
 * What the page stores of a subscription: its state, the newest events (bounded in number and size), and the charts
 * of its events, which grow. Pure.
 */
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { Operation } from '../graph/operation.ts'
import { objectOf } from '../json.ts'
import { type Chart, chartsFrom, inOrder, type Line } from '../result/charts.ts'

export interface SubscriptionEvent {
  /** Counts from 1, and continues after reconnecting. */
  readonly number: number
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
  /** The event id from which a client can resume, if there is one. */
  readonly id: string | undefined
  /** The JSON as it came. */
  readonly text: string
}

export type SubscriptionStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'listening' }
  /** The connection was lost. The next attempt is at this time, in milliseconds since 1970. */
  | { readonly kind: 'waiting'; readonly words: string; readonly until: number }
  | { readonly kind: 'ended'; readonly words: string; readonly isFault: boolean }

/** What the first event of a polled service says about polling. */
interface Polling {
  readonly intervalSeconds: number
  readonly unitsPerHour: number
}

export interface SubscriptionState {
  readonly status: SubscriptionStatus
  /** Newest first. */
  readonly events: readonly SubscriptionEvent[]
  readonly total: number
  /** How many characters the stored events have. */
  readonly size: number
  /** How often the subscription was resumed on another connection. */
  readonly resumed: number
  readonly polling: Polling | undefined
  readonly charts: readonly Chart[]
  /** The newest response, or the errors that ended the subscription. */
  readonly latest: unknown
}

/** As many events as a person can look through, and small enough for a browser tab. */
const mostEvents = 200
const mostCharacters = 4_000_000

export const initialSubscription: SubscriptionState = {
  status: { kind: 'connecting' },
  events: [],
  total: 0,
  size: 0,
  resumed: 0,
  polling: undefined,
  charts: [],
  latest: undefined,
}

interface Arrival extends Omit<SubscriptionEvent, 'number'> {
  readonly answer: unknown
}

/** The state with one more event. The newest event is stored whatever its size. */
export function withEvent(
  state: SubscriptionState,
  { at, id, text, answer }: Arrival,
  operation: Operation,
): SubscriptionState {
  const total = state.total + 1
  const events: SubscriptionEvent[] = []
  let size = 0
  for (const each of [{ number: total, at, id, text }, ...state.events]) {
    if (events.length === mostEvents) break
    if (events.length > 0 && size + each.text.length > mostCharacters) break
    events.push(each)
    size += each.text.length
  }
  return {
    ...state,
    events,
    size,
    total,
    polling: pollingIn(answer) ?? state.polling,
    charts: grown(state.charts, chartsFrom(answer, operation, 1)),
    latest: answer,
  }
}

function pollingIn(answer: unknown): Polling | undefined {
  const { live } = objectOf(objectOf(answer).extensions)
  const { intervalSeconds, unitsPerHour } = objectOf(live)
  return typeof intervalSeconds === 'number' && typeof unitsPerHour === 'number'
    ? { intervalSeconds, unitsPerHour }
    : undefined
}

/** The most samples, and the most times, of one chart that are drawn without delay. */
const mostSamples = 200_000
const mostInstants = 4000
const mostLines = 1000

/**
 * Adds the samples of further charts by time. Charts are identified by their place in the response, and lines by
 * their labels. The oldest samples are removed if there are too many.
 */
function grown(charts: readonly Chart[], added: readonly Chart[]): readonly Chart[] {
  if (added.length === 0) return charts
  const rest = new Map(added.map((chart) => [chart.path, chart]))
  const merged = charts.map((chart) => {
    const more = rest.get(chart.path)
    rest.delete(chart.path)
    return more === undefined ? chart : joined(chart, more)
  })
  return [...merged, ...[...rest.values()].map(bounded)]
}

function joined(chart: Chart, more: Chart): Chart {
  const times = inOrder([...chart.times, ...more.times])
  const at = new Map(times.map((time, index) => [time, index]))
  const lines = new Map<string, (number | null)[]>()
  for (const { times: own, lines: each } of [chart, more]) {
    for (const { label, values } of each) {
      const line = getOrInsert(lines, label, () => new Array<number | null>(times.length).fill(null))
      for (const [index, value] of values.entries())
        if (value !== null) line[at.get(own[index] ?? 0) ?? 0] = value
    }
  }
  return bounded({ ...chart, times, lines: [...lines].map(([label, values]) => ({ label, values })) })
}

function bounded(chart: Chart): Chart {
  const lines = chart.lines.slice(0, mostLines)
  const most = Math.max(1, Math.min(mostInstants, Math.floor(mostSamples / Math.max(1, lines.length))))
  if (chart.times.length <= most) return { ...chart, lines }
  const newest = lines.map(({ label, values }): Line => ({ label, values: values.slice(-most) }))
  // A line without samples is removed.
  return {
    ...chart,
    times: chart.times.slice(-most),
    lines: newest.filter(({ values }) => values.some((value) => value !== null)),
  }
}
