/** What one request holds of the nodes subgraph: nothing, because it reads nothing. */
export type Context = object
