/** The services behind the graph, how they are called, and the subgraphs that run elsewhere. */
import { z } from 'zod'
import {
  forEachService,
  type ServiceName,
  type SubgraphName,
  serviceNamed,
  subgraphNames,
} from '../../subgraphs/index.ts'
import { parseCredential } from '../../subgraphs/kit/credentials/index.ts'
import type { Setting } from '../../subgraphs/kit/service.ts'
import { lazily, section } from '../settings/index.ts'
import {
  exactUrl,
  flag,
  httpUrl,
  integer,
  list,
  matching,
  milliseconds,
  oneOf,
  privateKey,
  publicKey,
  readBy,
  seconds,
  secret,
  share,
} from '../settings/kinds.ts'

function ownSetting({ default: usual, expected, description, values, form }: Setting) {
  const [first, ...others] = values ?? []
  const kind = first === undefined ? matching(form ?? /^/, expected) : oneOf(first, ...others)
  return (kind as z.ZodType<string, string>).default(usual).describe(description)
}

function ofService(name: ServiceName) {
  const { title, settings } = serviceNamed(name)
  const own: object = Object.fromEntries(
    Object.entries(settings).map(([key, about]) => [key, ownSetting(about)]),
  )
  return z
    .strictObject({
      url: httpUrl.optional().describe(`Base URL of ${title}; by default the sandbox.`),
      credential: readBy('a credential', (text) => parseCredential(text, name))
        .prefault('none')
        .describe(`How ${title} is called: [credentials](#credentials).`)
        .meta({ secret: true }),
      ...own,
    })
    .prefault({})
}

export const services = lazily(() =>
  section(forEachService(ofService), 'The services behind the graph: [services](services.md).').meta({
    prefix: 'TESSERA_',
  }),
)

/** The settings of each service's own, as texts. */
export const ownSettingsOf = (given: z.output<typeof services>) =>
  forEachService(
    (name): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.keys(serviceNamed(name).settings).map((key) => [
          key,
          String((given[name] as Readonly<Record<string, unknown>>)[key]),
        ]),
      ),
  )

export const live = lazily(() =>
  section(
    {
      ...forEachService((name) =>
        z
          .strictObject({
            everySeconds: seconds(1, 86_400)
              .optional()
              .describe(
                `How often subscriptions ask ${serviceNamed(name).title} for changes if no client requests another interval; by default each field has its own interval.`,
              )
              .meta({ env: `TESSERA_${name.toUpperCase()}_LIVE_EVERY_SECONDS` }),
          })
          .prefault({}),
      ),
      share: share
        .default(0.5)
        .describe('The part of what is left of a quota or a rate limit that subscriptions may spend.'),
    },
    'How subscriptions poll the services.',
  ),
)

export const calls = lazily(() =>
  section(
    {
      requestTimeoutMs: milliseconds(1, 600_000)
        .default(30_000)
        .describe('Deadline of one request.')
        .meta({ reload: true }),
      upstreamTimeoutMs: milliseconds(1, 600_000).default(10_000).describe('Deadline of one upstream call.'),
      cacheSeconds: integer(0, 86_400)
        .default(0)
        .describe('How long a media read counts as fresh; 0 asks the service each time.'),
      shareCalls: flag.default(true).describe('Whether lookups of different requests share upstream calls.'),
      shareWaitMs: milliseconds(0, 1_000)
        .default(50)
        .describe(
          'The longest that a lookup waits for others to share a call; within it, up to a fifth of what the service takes.',
        ),
      shareEqual: flag
        .default(true)
        .describe(
          'Whether equal queries, and equal fetches of remote subgraphs, are done once while they run.',
        ),
      shareEqualExcept: list
        .default([])
        .describe(
          'Names of subgraphs whose fetches are never shared in this way, and neither are operations that need them.',
        ),
    },
    'How calls to services and subgraphs are shared, cached and bounded in time.',
  ).meta({ prefix: 'TESSERA_' }),
)

const urls = () =>
  Object.fromEntries(
    subgraphNames.map((name) => [
      name,
      httpUrl
        .optional()
        .describe(`Use this remote ${name} subgraph.`)
        .meta({ env: `TESSERA_${name.toUpperCase()}_SUBGRAPH_URL` }),
    ]),
  ) as Record<SubgraphName, z.ZodOptional<typeof httpUrl>>

export const subgraph = lazily(() =>
  section(
    {
      urls: z
        .strictObject(urls())
        .prefault({})
        .transform((all) => all as Readonly<Record<string, string>>),
      secret: secret(16)
        .optional()
        .describe('The secret by which gateway and subgraph services authenticate to each other.'),
      introspection: flag.default(false).describe('Whether `_service` answers without proof.'),
      frames: flag
        .default(true)
        .describe(
          'Whether the gateway and our subgraph services speak frames on an upgraded connection, which take less CPU than HTTP. False at either side: plain GraphQL over HTTP.',
        ),
      scopes: flag
        .default(false)
        .describe("Whether a subgraph service also checks the caller's own token against its scopes."),
      caller: oneOf('token', 'assertion')
        .default('token')
        .describe(
          "How a subgraph learns who the caller is: from the caller's own token, or from an assertion by the gateway, which is valid for one request to one subgraph. The same at gateway and services.",
        ),
      assertionKey: privateKey
        .optional()
        .describe(
          'At the gateway: the private key that signs assertions (P-256 or Ed25519, PEM), instead of one made from `subgraph.secret`; its public part is at `/.well-known/jwks.json`.',
        )
        .meta({ secret: true }),
      assertionPublicKey: publicKey
        .optional()
        .describe('At a service: the public key that verifies assertions, PEM; no others are accepted then.'),
      assertionJwksUrl: exactUrl
        .optional()
        .describe('At a service: the address of that key, instead of the key itself.'),
      tokens: list
        .default([])
        .describe(
          "Remote subgraphs that get the caller's own token, by name; `*` is all. Our own services get it as well if `subgraph.scopes` is set at the gateway and no supergraph is configured.",
        )
        .meta({ reload: true }),
      errors: list
        .default([])
        .describe(
          "Remote subgraphs whose errors clients see as they are, by name; `*` is all. Others' messages are only logged; our own services' always pass if no supergraph is configured.",
        )
        .meta({ reload: true }),
    },
    'Subgraphs in other processes, and how gateway and subgraph services authenticate to each other.',
  ),
)
