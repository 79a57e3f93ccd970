/**
 * What the page stores of a subscription: its state, the newest events (bounded in number and size), and the charts
 * of its events, which grow. Pure.
 */
import type { Operation } from '../graph/operation.ts'
import { objectOf } from '../json.ts'
import { type Chart, chartsFrom } from '../result/series.ts'
import { grown } from './growing.ts'

export interface FeedEvent {
  /** Counts from 1, and continues after reconnecting. */
  readonly number: number
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
  /** The event id from which a client can resume, if there is one. */
  readonly id: string | undefined
  /** The JSON as it came. */
  readonly text: string
}

export type FeedStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'listening' }
  /** The connection was lost. The next attempt is at this time, in milliseconds since 1970. */
  | { readonly kind: 'waiting'; readonly words: string; readonly until: number }
  | { readonly kind: 'ended'; readonly words: string; readonly isFault: boolean }

/** What the first event of a polled service says about polling. */
export interface Polling {
  readonly intervalSeconds: number
  readonly unitsPerHour: number
}

export interface Feed {
  readonly status: FeedStatus
  /** Newest first. */
  readonly events: readonly FeedEvent[]
  /** How many events have arrived. */
  readonly total: number
  /** How many characters the stored events have. */
  readonly size: number
  /** How often the subscription was resumed on another connection. */
  readonly resumed: number
  readonly polling: Polling | undefined
  /** The charts of the events. */
  readonly charts: readonly Chart[]
  /** The newest response, or the errors that ended the subscription. */
  readonly latest: unknown
}

/** As many events as a person can look through, and small enough for a browser tab. */
const feedBounds = { mostEvents: 200, mostCharacters: 4_000_000 }

export const emptyFeed: Feed = {
  status: { kind: 'connecting' },
  events: [],
  total: 0,
  size: 0,
  resumed: 0,
  polling: undefined,
  charts: [],
  latest: undefined,
}

export interface Arrival extends Omit<FeedEvent, 'number'> {
  readonly answer: unknown
}

/** The feed with one more event. The newest event is stored whatever its size. */
export function withEvent(
  feed: Feed,
  { at, id, text, answer }: Arrival,
  operation: Operation,
  { mostEvents, mostCharacters } = feedBounds,
): Feed {
  const total = feed.total + 1
  const events: FeedEvent[] = []
  let size = 0
  for (const each of [{ number: total, at, id, text }, ...feed.events]) {
    if (events.length === mostEvents) break
    if (events.length > 0 && size + each.text.length > mostCharacters) break
    events.push(each)
    size += each.text.length
  }
  return {
    ...feed,
    events,
    size,
    total,
    polling: pollingIn(answer) ?? feed.polling,
    charts: grown(feed.charts, chartsFrom(answer, operation, 1)),
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
