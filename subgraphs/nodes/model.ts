/** What stands behind every type here: which type it is, and its global id. The owner knows the rest. */
export interface Stub {
  readonly __typename: string
  readonly id: string
}
