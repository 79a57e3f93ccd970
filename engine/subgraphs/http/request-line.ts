/** The first line of an HTTP request to a subgraph, if it is not a POST to its address. */
export interface RequestLine {
  readonly method: string
  /** With its query. */
  readonly path: string
}

/**
 * Instead of a line: a request in frames, which are sealed together, so that it needs no signature of its own. What it
 * asks for is its document's text, followed by its variables.
 */
export const inFrames = 'frames'
