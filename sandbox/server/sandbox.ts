/** The options of a sandbox, and what a running one offers to tests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { AgentsStandInOptions } from '../agents/index.ts'
import type { Fault } from '../faults.ts'
import type { MessagesStandInOptions } from '../messages/index.ts'
import type { MetricsStandInOptions } from '../metrics/index.ts'
import type { ReceivedUpload } from '../stand-in.ts'

/** How the services behave. All options may be left out. */
export interface SandboxOptions {
  /** The default is a free port. */
  readonly port?: number | undefined
  /** The address on which to listen. The default is 127.0.0.1. */
  readonly host?: string | undefined
  /**
   * Names that the `Host` header may have, without a port. By default they are those of the loopback interface if
   * the sandbox listens there, and any name otherwise.
   */
  readonly allowedHosts?: readonly string[] | undefined
  /** The first path segment of the video service. The default is `media`. */
  readonly namespace?: string | undefined
  /** The settings of the services, by service and name, as in the product. `namespace` precedes them. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  /** The units of the video service per day; unlimited by default. */
  readonly dailyQuota?: number | undefined
  /** Whether calls without a token are refused if the real service refuses them. */
  readonly requireAuth?: boolean | undefined
  /** Whether `/__control/faults`, `/__control/change`, `/__control/reset` and `/__control/ledger` are served. */
  readonly control?: boolean | undefined
  /** Whether the ids of benchmarks exist, whose resources are computed from the id. */
  readonly synthetic?: boolean | undefined
  /** Whether requests are recorded in the journal. The default is true. */
  readonly journal?: boolean | undefined
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Options of single services: quotas, rate limits, basic authentication, other series. */
  readonly agents?: AgentsStandInOptions | undefined
  readonly messages?: MessagesStandInOptions | undefined
  readonly metrics?: MetricsStandInOptions | undefined
}

/** One request that reached the services. */
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
  /** Arrivals and ends of all requests have consecutive numbers, which show their order. */
  readonly began: number
  /** Set when the response is sent or the connection is closed. */
  ended: number | undefined
  /** Whether the whole response was sent. */
  answered: boolean
}

/** A write that was performed, by its operation and a key of what it changed. */
export interface WriteRecord {
  readonly operation: string
  readonly key: string
}

/** The units that the video service has charged. */
export interface Ledger {
  units: number
  calls: Record<string, number>
}

/** The running services. */
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
  /** Throws an Error if the fault is invalid, or if its service and operation name no call. */
  fail(fault: Fault): void
  /** Changes data as time or other people would. Throws an Error if the service does not accept the change. */
  change(service: string, change: Readonly<Record<string, unknown>>): void
  /** Restores the sample data, and removes all faults and records. */
  reset(): void
  close(): Promise<void>
}
