/** The context of one request to the nodes subgraph. The subgraph reads nothing, so it contains only limits. */
export interface Context {
  readonly maxIds: number
}

export function createContexts(context: Context): () => Context {
  return () => context
}
