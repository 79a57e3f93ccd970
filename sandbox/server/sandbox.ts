/** The options of a sandbox, and what a running one offers to tests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { AgentsStandInOptions } from '../agents/index.ts'
import type { Fault } from '../faults/index.ts'
import type { MessagesStandInOptions } from '../messages/index.ts'
import type { MetricsStandInOptions } from '../metrics/index.ts'
import type { ReceivedUpload } from '../videos/index.ts'

export interface SandboxOptions {
  /** A free port by default. */
  readonly port?: number | undefined
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string | undefined
  /**
   * Names that the `Host` header may have, without a port. By default those of the loopback interface where the
   * sandbox listens there, and any where it listens elsewhere.
   */
  readonly allowedHosts?: readonly string[] | undefined
  /** The path segment of the video service; `media` by default. */
  readonly namespace?: string | undefined
  /** The settings of the services, by service and name, as the product has them; `namespace` goes before. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  /** Units of the video service a day; unlimited by default. */
  readonly dailyQuota?: number | undefined
  /** Whether calls without a token are refused if the real services refuse them. */
  readonly requireAuth?: boolean | undefined
  /** Whether `/__control/faults`, `/__control/change`, `/__control/reset` and `/__control/ledger` are served. */
  readonly control?: boolean | undefined
  /** Whether the ids of benchmarks exist: resources that are computed from their id. */
  readonly synthetic?: boolean | undefined
  /** Whether requests are kept in the journal; true by default. */
  readonly journal?: boolean | undefined
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Options of single services: quotas, rate limits, basic authentication, other series. */
  readonly agents?: AgentsStandInOptions | undefined
  readonly messages?: MessagesStandInOptions | undefined
  readonly metrics?: MetricsStandInOptions | undefined
}

export interface JournalEntry {
  readonly service: string
  readonly operation: string | undefined
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  body: string
  status: number
  /** What the video service charged for it. */
  units: number
  /** Arrivals and ends of all requests have consecutive numbers, which tell their order. */
  readonly began: number
  /** Set when the answer is sent or the connection is closed. */
  ended: number | undefined
  /** Whether the whole answer was sent. */
  answered: boolean
}

export interface WriteRecord {
  readonly operation: string
  readonly key: string
}

/** What the video service charged. */
export interface Ledger {
  units: number
  calls: Record<string, number>
}

export interface Sandbox extends AsyncDisposable {
  readonly url: string
  /** All requests, in order of arrival. */
  readonly journal: JournalEntry[]
  calls(operation: string): JournalEntry[]
  readonly ledger: Ledger
  /** The writes that were performed. */
  readonly writes: WriteRecord[]
  /** The videos that were uploaded. */
  readonly uploads: readonly ReceivedUpload[]
  fail(fault: Fault): void
  /** Changes a service's data as time or other people would; throws an Error if the service does not take it. */
  change(service: string, change: Readonly<Record<string, unknown>>): void
  /** Restores the sample data, and removes all faults and records. */
  reset(): void
  close(): Promise<void>
}
