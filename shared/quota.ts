/** What is known of a metered service's units: what a subgraph can show of them, by the ledger that counts them. */

export interface QuotaOperation {
  /** The operation's name: 'videos.list'. */
  readonly name: string
  readonly units: number
  readonly calls: number
}

/** What one credential has spent of its day. */
export interface QuotaState {
  /** The most units of a day; null if none is set. */
  readonly limit: number | null
  readonly used: number
  /** Units that are left; null if there is no limit. */
  readonly remaining: number | null
  /** When the day ends: RFC 3339. */
  readonly resetsAt: string
  /** What the units went to. */
  readonly operations: QuotaOperation[]
}

/** Reads what the calls with a credential have spent so far. */
export type ReadQuota = (credentialKey: string) => Promise<QuotaState>
