/** Method and path of an HTTP request to a subgraph, if it is not a POST to its address. */
export interface RequestLine {
  readonly method: string
  /** With its query. */
  readonly path: string
}

/**
 * Stands for a request in frames, which needs no signature of its own because frames are sealed together. It is
 * identified by the text of its document, followed by its variables.
 */
export const inFrames = 'frames'
