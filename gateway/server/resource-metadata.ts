/**
 * `/.well-known/oauth-protected-resource` (RFC 9728), for the graph's own address and for the server's, and the
 * challenges that lead there.
 */
import { type Challenge, challengeHeader } from '../auth/challenge.ts'
import { type ResourceFacts, resourceMetadata } from '../auth/resource-metadata.ts'
import { type Route, securityHeaders } from './routes.ts'

const wellKnown = '/.well-known/oauth-protected-resource'
const graphPath = '/graphql'
/** The endpoint for agents, which is a resource of its own for their clients. */
export const agentsPath = '/mcp'

/** An address with the well-known path between its origin and its own path. */
function metadataAddress(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`
}

interface ResourceOptions {
  /** The address that the client of a request uses, by its `Host`. */
  readonly addressOf: (host: string | undefined) => string
  /** The path of the configured address, which a proxy may have removed; empty if it has none. */
  readonly prefix: string
  readonly agents?: boolean | undefined
  /** Called when the document is first requested. */
  readonly facts: () => ResourceFacts
}

/** The paths of the document after the well-known one, each with that of its resource. */
function placesOf(prefix: string, agents: boolean): ReadonlyMap<string, string> {
  const paths = ['', graphPath, ...(agents ? [agentsPath] : [])]
  return new Map(['', prefix].flatMap((before) => paths.map((path) => [before + path, path] as const)))
}

/** The document of `/graphql`, that of `/mcp`, and the one of the whole server, whose `resource` is its address. */
export function metadataRoutes({
  addressOf,
  facts,
  prefix,
  agents = false,
}: ResourceOptions): readonly Route[] {
  return [...placesOf(prefix, agents)].map(([at, path]) => ({
    method: 'GET',
    path: `${wellKnown}${at}`,
    answer: ({ raw }) => ({
      headers: { ...securityHeaders, 'cache-control': 'public, max-age=300', vary: 'host' },
      json: resourceMetadata(`${addressOf(raw.headers.host)}${path}`, facts()),
    }),
  }))
}

/** The header of a challenge: its name and its value. `path` is the path of the refused resource. */
export function createChallengeHead({
  addressOf,
  facts,
  path = graphPath,
}: {
  readonly path?: string | undefined
  /** Undefined if the document is not served. */
  readonly addressOf: (host: string | undefined) => string | undefined
  readonly facts: () => Pick<ResourceFacts, 'dpop' | 'dpopRequired'>
}): (challenge: Challenge, host: string | undefined) => readonly string[] {
  return (challenge, host) => {
    const { dpop, dpopRequired } = facts()
    const address = addressOf(host)
    const metadata = address === undefined ? undefined : metadataAddress(`${address}${path}`)
    return ['www-authenticate', challengeHeader(challenge, metadata, { bearer: !dpopRequired, dpop })]
  }
}

/** The public keys of assertions (RFC 7517), for subgraph services that fetch them. */
export function keySetRoute(keySet: object): Route {
  const headers = {
    ...securityHeaders,
    'cache-control': 'public, max-age=300',
    'content-type': 'application/jwk-set+json',
  }
  return { method: 'GET', path: '/.well-known/jwks.json', answer: () => ({ headers, json: keySet }) }
}
