/** How a topic polls: the request to the service, and what is done with the response. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Pace } from './interval.ts'

/**
 * `Want` is what the subscribers of one process need of a poll, and `News` what a poll found for them. Processes send both
 * to each other, so they are JSON values.
 */
export interface PollStrategy<Want, News> {
  readonly field: string
  readonly pace: Pace
  /** What the subscribers of this process want. */
  want(): Want
  /** When the next poll is due. By default it is due one interval after the last one. */
  dueAt?(lastPollAt: number, intervalMs: number): number
  /** The price of one poll of all that is wanted. */
  units(wants: readonly Want[]): number
  poll(wants: readonly Want[], kind: PollKind, request: SubgraphRequest): Promise<Polled<News>>
  /**
   * Keeps news and delivers them to the subscribers of this process. The same news may come twice. With `older`,
   * they may be older than what is known here, and fill only what is unknown.
   */
  take(news: News, older: boolean): void
  /** What is known here and another process lacks; undefined if it lacks nothing. */
  lacking?(want: Want): News | undefined
  /**
   * Whether something wanted has never been requested. It is then requested soon instead of after a whole interval.
   */
  isMissing(wants: readonly Want[]): boolean
}

export interface PollKind {
  /** Requests only what has never been requested. */
  readonly missing: boolean
  /** The news are everything that is known after the poll, even if nothing changed. */
  readonly whole: boolean
  /** The service may answer that nothing has changed since its last answer. */
  readonly conditional: boolean
}

export interface Polled<News> {
  /** Undefined if nothing changed, or if a `whole` poll has nothing to report. */
  readonly news: News | undefined
  /** The news contain nothing new, which is possible for a `whole` poll. */
  readonly unchanged?: boolean | undefined
  /** Part of the request failed. */
  readonly partial?: boolean | undefined
  /** The shortest interval by what the service says, in milliseconds. There is none by default. */
  readonly hintMs?: number | undefined
  /** Nothing can change any more, so polling ends. */
  readonly final?: boolean | undefined
}
