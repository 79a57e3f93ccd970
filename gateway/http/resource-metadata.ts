/**
 * `/.well-known/oauth-protected-resource` (RFC 9728), for the graph's own address and for the server's; the challenges
 * that lead there.
 */
import type { FastifyInstance } from 'fastify'
import { type Challenge, challengeHeader } from '../access/challenge/index.ts'
import { type ResourceFacts, resourceMetadata } from '../access/resource-metadata.ts'
import { securityHeaders } from './serve/security-headers.ts'

const wellKnown = '/.well-known/oauth-protected-resource'
const graphPath = '/graphql'

/** An address with the well-known path between its origin and its own path. */
function metadataAddress(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`
}

export interface ResourceOptions {
  /** Where the client of a request reaches us, by its `Host`. */
  readonly addressOf: (host: string | undefined) => string
  /** The path of the configured address, which a proxy may have taken away; empty where it has none. */
  readonly prefix: string
  /** Asked for when the document is first wanted. */
  readonly facts: () => ResourceFacts
}

/** Where the document is served: the paths after the well-known one, each with that of what it is about. */
function placesOf(prefix: string): ReadonlyMap<string, string> {
  return new Map(
    ['', prefix].flatMap((before) => ['', graphPath].map((path) => [before + path, path] as const)),
  )
}

/** The document of `/graphql`, and the one of the whole server, whose `resource` is its address. */
export function metadataRoutes({
  addressOf,
  facts,
  prefix,
}: ResourceOptions): (app: FastifyInstance) => void {
  return (app) => {
    for (const [at, path] of placesOf(prefix)) {
      app.get(`${wellKnown}${at}`, (request, reply) =>
        reply
          .headers({ ...securityHeaders, 'cache-control': 'public, max-age=300', vary: 'host' })
          .send(resourceMetadata(`${addressOf(request.headers.host)}${path}`, facts())),
      )
    }
  }
}

/** The header that tells a challenge: its name and its value. */
export function createChallengeHead({
  addressOf,
  facts,
}: {
  /** Undefined where the document is not served. */
  readonly addressOf: (host: string | undefined) => string | undefined
  readonly facts: () => Pick<ResourceFacts, 'dpop' | 'dpopRequired'>
}): (challenge: Challenge, host: string | undefined) => readonly string[] {
  return (challenge, host) => {
    const { dpop, dpopRequired } = facts()
    const address = addressOf(host)
    const metadata = address === undefined ? undefined : metadataAddress(`${address}${graphPath}`)
    return ['www-authenticate', challengeHeader(challenge, metadata, { bearer: !dpopRequired, dpop })]
  }
}

/** The public keys of assertions (RFC 7517), for subgraph services that fetch them. */
export function keySetRoute(keySet: object): (app: FastifyInstance) => void {
  return (app) => {
    app.get('/.well-known/jwks.json', (_request, reply) =>
      reply
        .headers({ ...securityHeaders, 'cache-control': 'public, max-age=300' })
        .type('application/jwk-set+json')
        .send(JSON.stringify(keySet)),
    )
  }
}
