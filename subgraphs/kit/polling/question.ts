/** What a topic asks a service, and what it does with what it learned. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { Pace } from './interval.ts'

/** Wants and news are JSON values. */
export interface Question<Want, News> {
  /** Equal keys = the same question with the same credential. */
  readonly key: string
  /** The field of `Subscription` that it is for. */
  readonly field: string
  readonly credentialKey: string
  readonly pace: Pace
  /** What the subscribers of this process want. */
  want(): Want
  /** When the next poll is made, if not just the interval after the last one. */
  dueAt?(lastPollAt: number, intervalMs: number): number
  /** The units of one poll of all that is wanted. */
  units(wants: readonly Want[]): number
  poll(wants: readonly Want[], kind: PollKind, request: SubgraphRequest): Promise<Polled<News>>
  /**
   * Keeps news and delivers them to the subscribers of this process. The same news may come twice. With `older` they may be
   * older than what is known here, and count only for what nothing is known of.
   */
  take(news: News, older: boolean): void
  /** What another process lacks of what is known here; undefined if it lacks nothing. */
  lacking?(want: Want): News | undefined
  /** Whether something wanted has never been asked for: it is asked for soon, not after a whole interval. */
  isMissing(wants: readonly Want[]): boolean
}

export interface PollKind {
  /** Asks only for what has never been asked for. */
  readonly missing: boolean
  /** The news are everything that is known after the poll, whether it changed or not. */
  readonly whole: boolean
  /** The service may answer that nothing has changed since its last answer. */
  readonly conditional: boolean
}

export interface Polled<News> {
  /** Undefined if nothing changed, and if there is nothing to say of a whole. */
  readonly news: News | undefined
  /** The news say nothing that was not known, as those of a whole may. */
  readonly unchanged?: boolean | undefined
  /** Part of what was asked for could not be had. */
  readonly partial?: boolean | undefined
  /** The least interval by what the service says, in milliseconds; none by default. */
  readonly hintMs?: number | undefined
  /** Nothing can change any more. */
  readonly final?: boolean | undefined
}
