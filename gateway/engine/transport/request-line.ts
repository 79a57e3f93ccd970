/** The first line of an HTTP request to a subgraph, where it is not a POST to its address. */
export interface RequestLine {
  readonly method: string
  /** With its query. */
  readonly path: string
}
