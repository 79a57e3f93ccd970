/** How remote subgraphs are reached over HTTP, and what clients see of their errors. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import {
  exactUrl,
  file,
  flag,
  integer,
  milliseconds,
  oneOf,
  share,
  subgraphName,
  webSocketUrl,
} from '../settings/kinds.ts'

const errorRules = lazily(() =>
  z.strictObject({
    messages: flag
      .optional()
      .describe(
        'Whether clients see what the subgraph wrote as the message; by default as `subgraph.errors` says.',
      ),
    extensions: z
      .union([flag, z.array(z.string().min(1).max(200)).max(200)], {
        error: 'expected true, false or a list of keys',
      })
      .optional()
      .describe(
        'Which of its `extensions` clients see: all, none, or those with these keys. `code` and `service` are always there; stacks, exceptions, other debugging data and HTTP statuses never pass.',
      ),
    takesOnError: flag
      .optional()
      .describe(
        'Whether the subgraph takes the request parameter [`onError`](errors.md#onerror), and therefore gets the value of the request; false by default, true for our own services.',
      ),
  }),
)

export const errors = lazily(() =>
  section(
    {
      all: errorRules.optional().describe('For every subgraph that does not say otherwise.'),
      subgraphs: z.record(subgraphName, errorRules).optional().describe('By the name of the subgraph.'),
    },
    'What clients see of the errors of subgraphs. The original errors go to the log at level debug.',
  ).meta({ reload: true }),
)

const pem = file('a PEM file')

const subscriptions = () => ({
  protocol: oneOf('websocket', 'sse')
    .optional()
    .describe(
      '`websocket` is graphql-transport-ws, `sse` GraphQL over server-sent events. By default `sse` for services of `tessera subgraph`, and `websocket` for every other subgraph.',
    ),
  ackMs: milliseconds(1, 600_000)
    .optional()
    .describe('How long the subgraph may take to acknowledge a connection; 10000 by default.'),
  pingMs: milliseconds(100, 600_000)
    .optional()
    .describe(
      'The time between pings over a WebSocket. The connection is lost if one is not answered before the next. 15000 by default.',
    ),
  idleMs: milliseconds(100, 86_400_000)
    .optional()
    .describe(
      'How long a stream of server-sent events may send nothing, not even comments, before it is lost; unbounded by default, a minute for services of `tessera subgraph`.',
    ),
  eventBytes: integer(1_000, 1_000_000_000)
    .optional()
    .describe('The most bytes of an event; 4194304 by default.'),
  waitingEvents: integer(1, 1_000_000)
    .optional()
    .describe('The most events that wait here; beyond it the connection is not read. 100 by default.'),
  reconnects: integer(0, 1_000_000)
    .optional()
    .describe('The connections that may fail in a row before a subscription ends; 10 by default.'),
  delayMs: milliseconds(0, 30_000)
    .optional()
    .describe(
      'The first reconnection waits a random time up to this, which doubles up to 30 seconds. 250 by default.',
    ),
})
const aboutSubscriptions = 'How it is subscribed to.'

const rules = () => ({
  timeoutMs: milliseconds(1, 600_000)
    .optional()
    .describe('The most that one fetch may take; `calls.upstreamTimeoutMs` by default.'),
  retries: z
    .strictObject({
      most: integer(0, 10).describe('How often a query is repeated at most. Mutations never are.'),
      budget: share.optional().describe('The retries for each request in the long run; 0.2 by default.'),
      delayMs: milliseconds(0, 10_000)
        .optional()
        .describe('The first retry waits a random time up to this; it doubles each time. 50 by default.'),
    })
    .optional()
    .describe('Repeats queries that found no connection, or were answered 429, 502, 503 or 504.'),
  breaker: z
    .strictObject({
      consecutive: integer(1, 10_000)
        .optional()
        .describe('The failures in a row after which it opens; 10 by default.'),
      ratio: share
        .optional()
        .describe('Opens when a larger share of the last ten seconds failed; 0.5 by default.'),
      pauseMs: milliseconds(1, 600_000)
        .optional()
        .describe('How long it stays open at first; it doubles up to ten times as long. 1000 by default.'),
    })
    .optional()
    .describe('A circuit breaker: a subgraph that fails too often is not asked for a while.'),
  concurrency: z
    .strictObject({
      most: integer(1, 1_000_000).describe('Requests at the same time.'),
      waiting: integer(0, 1_000_000)
        .optional()
        .describe('Requests that may wait for their turn; 512 by default.'),
    })
    .optional()
    .describe('The most requests at the same time.'),
  connections: integer(1, 10_000).optional().describe('The most connections; 64 by default.'),
  connectionMs: milliseconds(100, 86_400_000)
    .optional()
    .describe('How long a connection is used before another replica may get it; 60000 by default.'),
  keepAliveMs: milliseconds(0, 86_400_000)
    .optional()
    .describe('How long a connection without a request is kept; 4000 by default.'),
  http2: flag.optional().describe('HTTP/2: negotiated by TLS with https, assumed with http.'),
  tls: z
    .strictObject({
      ca: pem.optional().describe('The authorities that verify the subgraph’s certificate, as a PEM file.'),
      certificate: pem.optional().describe("The gateway's own certificate, as a PEM file."),
      key: pem.optional().describe('The private key of that certificate.'),
    })
    .refine(
      ({ certificate, key }) => (certificate === undefined) === (key === undefined),
      'expected `certificate` and `key` together',
    )
    .optional()
    .describe('How the subgraph proves itself by TLS, and we to it.'),
  compressed: flag.optional().describe('Whether compressed answers are requested (zstd, br, gzip).'),
  persisted: flag
    .optional()
    .describe(
      'Sends queries by GET with the hash of their document, and the document only if it is asked for.',
    ),
  probeMs: milliseconds(100, 86_400_000)
    .optional()
    .describe(
      'Asks { __typename } at this interval, so that /health/ready knows of subgraphs without requests.',
    ),
})

export const traffic = lazily(() =>
  section(
    {
      all: z
        .strictObject({
          ...rules(),
          subscriptions: z.strictObject(subscriptions()).optional().describe(aboutSubscriptions),
        })
        .optional()
        .describe('For every subgraph that does not say otherwise.'),
      subgraphs: z
        .record(
          subgraphName,
          z.strictObject({
            url: exactUrl
              .optional()
              .describe('Where it is reached, instead of the address in the supergraph.'),
            ...rules(),
            subscriptions: z
              .strictObject({
                url: webSocketUrl.optional().describe('Where, instead of the address for queries.'),
                ...subscriptions(),
              })
              .optional()
              .describe(aboutSubscriptions),
          }),
        )
        .optional()
        .describe('By the name of the subgraph.'),
    },
    'How subgraphs are reached over HTTP.',
  ).meta({ reload: true }),
)
