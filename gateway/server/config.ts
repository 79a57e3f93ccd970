/** How the server listens, for whom, and how it stops. */
import { z } from 'zod'
import { lazily, section } from '../settings/index.ts'
import {
  file,
  flag,
  httpUrl,
  integer,
  matching,
  milliseconds,
  networks,
  oneOf,
  secret,
  signingSecret,
  text,
} from '../settings/kinds.ts'

const workers = z.union([z.literal('auto'), integer(1, 128)], {
  error: 'expected auto, or a whole number from 1 to 128',
})

/** As browsers write it in `Origin`: compared letter by letter. */
const origin = matching(
  /^(\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+)$/,
  '*, or origins with their scheme and without a path, such as https://app.example.com',
)

export const server = lazily(() =>
  section(
    {
      host: text('an address or a name')
        .default('127.0.0.1')
        .describe('Address on which the gateway listens.')
        .meta({ env: 'HOST' }),
      port: integer(0, 65_535)
        .default(4000)
        .describe('Port on which the gateway listens; 0 takes a free one.')
        .meta({ env: 'PORT' }),
      publicUrl: httpUrl.optional().describe('The address under which clients reach this gateway.'),
      workers: workers
        .default(1)
        .describe('Processes that serve the port together; `auto` is one for each available core.'),
      tls: z
        .strictObject({
          cert: file('a PEM file')
            .optional()
            .describe(
              'File with the certificate chain (PEM) with which the gateway, or a subgraph service, speaks HTTPS instead of HTTP.',
            ),
          key: file('a PEM file').optional().describe('File with the private key to it (PEM).'),
          clientCa: file('a PEM file')
            .optional()
            .describe(
              'File with the authorities (PEM) of certificates that clients may show, for tokens that are bound to one (RFC 8705).',
            ),
        })
        .prefault({}),
      trustedProxies: networks
        .default([])
        .describe(
          'The addresses or networks (`10.0.0.0/8`) of the proxies in front of this gateway whose `X-Forwarded-For` is believed: rate limits, subscriptions, agents, hooks and the log then see the address of the client instead of that of the proxy.',
        ),
      corsOrigins: z
        .array(origin)
        .default(['*'])
        .describe('Origins that browsers may call from; `*` is every origin.'),
      csrf: flag.default(true).describe('Whether simple cross-site requests are refused.'),
      compression: oneOf('auto', 'on', 'off')
        .default('auto')
        .describe(
          'Whether responses over 1 kB are compressed (zstd, br, gzip) for clients that accept it: auto leaves out clients on the same machine.',
        ),
      maxWaitMs: milliseconds(0, 60_000)
        .default(500)
        .describe(
          'The longest that requests may wait in the queue of this process while they come faster than they leave; beyond it new ones are refused with 503. With 0 none are refused for that.',
        ),
      uploadSecret: signingSecret
        .optional()
        .describe('Seals upload addresses; the same on all replicas. A random one by default.'),
    },
    'The address at which the gateway listens, and for whom.',
  ).meta({ prefix: 'TESSERA_' }),
)

export const connections = lazily(() =>
  section(
    {
      maxConnections: integer(1, 1_000_000)
        .default(5_000)
        .describe('The most connections of clients at once; further ones are closed.'),
      backlog: integer(1, 65_535)
        .default(4_096)
        .describe(
          'The most connections that the kernel keeps until they are accepted; Linux lowers it to `net.core.somaxconn`.',
        ),
      headersTimeoutMs: milliseconds(10, 600_000)
        .default(15_000)
        .describe('How long the headers of a request may take to arrive.'),
      bodyTimeoutMs: milliseconds(10, 600_000)
        .default(30_000)
        .describe('How long the body of a request may take to arrive; for an upload, the next 16 KiB of it.'),
      writeTimeoutMs: milliseconds(10, 600_000)
        .default(30_000)
        .describe(
          'How long a client may take to read what was written to it: the next 256 KiB of a response, or the messages that wait for a subscriber. In frames also a subgraph service, of its requests.',
        ),
      keepAliveMs: milliseconds(0, 600_000)
        .default(72_000)
        .describe(
          'How long a connection without a request is kept; longer than a load balancer keeps its own.',
        ),
      maxPendingBytes: integer(1_000_000, 1e12)
        .default(134_217_728)
        .describe(
          'The most bytes of request bodies that are arriving, are decompressed or wait to begin, together.',
        ),
    },
    "How many of the server's connections clients may hold, and for how long.",
  ).meta({ prefix: 'TESSERA_' }),
)

export const shutdown = lazily(() =>
  section(
    {
      graceMs: milliseconds(0, 600_000).default(10_000).describe('How long running requests may finish.'),
      delayMs: milliseconds(0, 600_000)
        .default(0)
        .describe(
          'How long requests are still accepted after the signal to stop, while `/health/ready` already says no.',
        ),
    },
    'How the server stops.',
  ),
)

export const admin = lazily(() =>
  section(
    {
      port: integer(0, 65_535)
        .optional()
        .describe(
          'Port for purging the response cache and for reports of [usage](usage.md); 0 takes a free one. None by default.',
        ),
      host: text('an address or a name').default('127.0.0.1').describe('Address on which that port listens.'),
      token: secret(16)
        .optional()
        .describe('What requests to that port must show: `Authorization: Bearer …`.'),
    },
    'The port for operators.',
  ),
)

export const explorer = lazily(() =>
  section(
    {
      mode: oneOf('auto', 'sandbox', 'built-in', 'off')
        .default('auto')
        .describe(
          'The page at `/`: the explorer with a link that opens Apollo Sandbox (auto) or without it (built-in), Apollo Sandbox at once (sandbox), or no page (off).',
        )
        .meta({ env: 'TESSERA_EXPLORER' }),
      clientId: text('a text')
        .optional()
        .describe(
          'The client id with which the page at `/` signs in at `jwt.issuer` (code flow with PKCE, no secret, back to `/`); by default tokens are pasted.',
        ),
    },
    'The page at `/`: [explorer](explorer.md).',
  ),
)
