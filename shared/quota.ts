/** The units of a metered service, as the ledger counts them and a subgraph can show them. */

interface QuotaOperation {
  /** The name of the operation, such as 'videos.list'. */
  readonly name: string
  readonly units: number
  readonly calls: number
}

/** The units that one credential has spent today. */
export interface QuotaState {
  /** The limit of a day. Null if there is none. */
  readonly limit: number | null
  readonly used: number
  /** The remaining units. Null if there is no limit. */
  readonly remaining: number | null
  /** The end of the day, in RFC 3339. */
  readonly resetsAt: string
  readonly operations: QuotaOperation[]
}

/** Reads what the calls with a credential have spent so far. */
export type ReadQuota = (credentialKey: string) => Promise<QuotaState>
