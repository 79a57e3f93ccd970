/**
 * What the page keeps of a subscription: its state, the newest events within a bound in number and in size, and the
 * charts of what its events bring, which grow. Pure.
 */
import type { Operation } from '../graph/operation.ts'
import { type Chart, chartsFrom } from '../result/series.ts'
import { grown } from './growing.ts'

export interface FeedEvent {
  /** From 1, also over reconnecting. */
  readonly number: number
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
  /** From which a client can go on, if there is one. */
  readonly id: string | undefined
  /** JSON as it came. */
  readonly text: string
}

export type FeedStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'listening' }
  /** The connection was lost, and another is tried at a time in milliseconds since 1970. */
  | { readonly kind: 'waiting'; readonly words: string; readonly until: number }
  | { readonly kind: 'ended'; readonly words: string; readonly isFault: boolean }

/** What the gateway says with the first event of a polled service. */
export interface Polling {
  readonly intervalSeconds: number
  readonly unitsPerHour: number
}

export interface Feed {
  readonly status: FeedStatus
  /** Newest first. */
  readonly events: readonly FeedEvent[]
  /** All that arrived. */
  readonly total: number
  /** Characters of those that are kept. */
  readonly size: number
  /** How often it went on over another connection. */
  readonly resumed: number
  readonly polling: Polling | undefined
  /** What is drawn of the events. */
  readonly charts: readonly Chart[]
  /** The newest answer, or the errors that ended it. */
  readonly latest: unknown
}

export interface FeedBounds {
  readonly mostEvents: number
  readonly mostCharacters: number
}

/** As many as can be looked through, and of a size that a browser tab does not feel. */
export const feedBounds: FeedBounds = { mostEvents: 200, mostCharacters: 4_000_000 }

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

/** The feed with one event more; the newest is kept whatever its size. */
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
  const { extensions } = Object(answer) as { extensions?: { live?: unknown } | null }
  const { intervalSeconds, unitsPerHour } = Object(extensions?.live) as Record<string, unknown>
  return typeof intervalSeconds === 'number' && typeof unitsPerHour === 'number'
    ? { intervalSeconds, unitsPerHour }
    : undefined
}
