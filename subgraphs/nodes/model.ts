/** The model of every type here: its name and the global id. The subgraph that owns the type resolves the rest. */
export interface Stub {
  readonly __typename: string
  readonly id: string
}
