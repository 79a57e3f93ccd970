/**
 * What this program uses of `fast/`, which holds code that exists only for speed. No other file imports that folder: each
 * piece implements an interface that a plain implementation has too, and is handed in from here.
 */

import type { OpenFramedConnections } from '../engine/subgraphs/index.ts'
import { openFrames, serveFrames } from '../fast/frames/index.ts'
import { parseQuickly } from '../fast/parse-body/index.ts'
import type { ParseBody } from '../subgraphs/kit/rest-client/index.ts'
import type { ServeFramed } from './subgraph-service/index.ts'

/** The plain implementation stands in for each part that is not there. */
export interface FastParts {
  readonly parseBody?: ParseBody | undefined
  /** Connections between a gateway and a subgraph service, at either end. */
  readonly frames?: { readonly open: OpenFramedConnections; readonly serve: ServeFramed } | undefined
}

export const fastParts: FastParts = {
  parseBody: parseQuickly,
  frames: { open: openFrames, serve: serveFrames },
}
