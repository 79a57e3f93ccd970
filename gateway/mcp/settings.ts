/** The operator's settings for the endpoint for agents. */

export type Changes = 'off' | 'confirm' | 'free'

/** How much one grant may use in a window. */
export interface AgentBudget {
  readonly counts: 'units' | 'calls' | 'tokens' | 'changes'
  readonly limit: number
  readonly per: 'minute' | 'day'
}

export interface McpSettings {
  /** A folder of GraphQL documents, whose operations are tools instead of the usual ones. */
  readonly operations: string | undefined
  /** The most tokens of all definitions together; beyond that there is a catalogue. */
  readonly maxListTokens: number
  /** The most tokens of an answer. */
  readonly maxTokens: number
  /** Whether an answer is there a second time, as `structuredContent`. */
  readonly structured: boolean
  readonly changes: Changes
  /** Root fields of mutations that count as reads, as they change nothing that lasts. */
  readonly reads: readonly string[]
}
