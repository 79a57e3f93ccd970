/** How many of the server's connections clients may hold, and for how long. */
import { integer } from '../fields.ts'

export const connectionsVariables = {
  TESSERA_MAX_CONNECTIONS: integer(1, 1_000_000)
    .default(5_000)
    .describe('The most connections of clients at once; further ones are closed.'),
  TESSERA_BACKLOG: integer(1, 65_535)
    .default(511)
    .describe('The most connections that the kernel keeps until they are accepted.'),
  TESSERA_MAX_WAIT_MS: integer(0, 60_000)
    .default(500)
    .describe(
      'The longest that requests may wait for each other in this process while they come faster than they leave; beyond it new ones are refused with 503. 0 refuses none for it.',
    ),
  TESSERA_HEADERS_TIMEOUT_MS: integer(10, 600_000)
    .default(15_000)
    .describe('How long the headers of a request may take to arrive.'),
  TESSERA_BODY_TIMEOUT_MS: integer(10, 600_000)
    .default(30_000)
    .describe('How long the body of a request may take to arrive; for an upload, the next 16 KiB of it.'),
  TESSERA_WRITE_TIMEOUT_MS: integer(10, 600_000)
    .default(30_000)
    .describe(
      'How long a client may take to read the next 16 KiB of a response; in frames also a subgraph service, of its requests.',
    ),
  TESSERA_KEEP_ALIVE_MS: integer(0, 600_000)
    .default(72_000)
    .describe('How long a connection without a request is kept; longer than a load balancer keeps its own.'),
  TESSERA_MAX_PENDING_BYTES: integer(1_000_000, 1e12)
    .default(134_217_728)
    .describe(
      'The most bytes of request bodies that are arriving, are decompressed or wait to begin, together.',
    ),
} as const
