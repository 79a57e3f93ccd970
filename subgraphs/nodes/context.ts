/** What one request holds of the nodes subgraph. It reads nothing, so it holds the limits alone. */
export interface Context {
  /** The most ids of one list. */
  readonly maxIds: number
}

export function createContexts(context: Context): () => Context {
  return () => context
}
