/** The headers of a request to a subgraph, and what they are made of. */
import type { GatewayRequest } from '../../request.ts'

/** Makes the headers of a request to a subgraph: signatures and credentials of the caller. Names in lower case. */
export type MakeHeaders = (
  request: GatewayRequest,
  body: string,
  line?: RequestLine | typeof inFrames,
) => SentHeaders | Promise<SentHeaders>

export type SentHeaders = Readonly<Record<string, string>>

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

/** Adds those headers of the caller that the request has, all in lower case. */
export function pickHeaders(
  request: Pick<GatewayRequest, 'header'>,
  names: readonly string[],
  headers: Record<string, string> = {},
): Record<string, string> {
  for (const name of names) {
    const value = request.header(name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}
