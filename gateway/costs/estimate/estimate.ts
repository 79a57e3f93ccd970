/** The highest possible cost of an operation, before it runs. */
export interface OperationEstimate {
  readonly service: string
  readonly operation: string
  readonly calls: number
  readonly units: number
  /** What the calls request, in the service's words. */
  readonly asksFor: readonly string[]
}

export interface Estimate {
  readonly units: number
  /** Calls by service. */
  readonly calls: Readonly<Record<string, number>>
  readonly operations: readonly OperationEstimate[]
}
