/**
 * Hive Gateway (`@graphql-hive/gateway` 2.x) in front of the five subgraph services, with tokens and scopes.
 *
 *   npm run tessera -- compose --out supergraph.graphql
 *   TESSERA_SUBGRAPH_SECRET=… JWKS_URL=… JWT_ISSUER=… JWT_AUDIENCE=… hive-gateway supergraph supergraph.graphql
 *
 * Without `genericAuth` Hive Gateway ignores `@requiresScopes`, and answers scoped fields to everybody.
 */
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'

const needed = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name}: required`)
  return value
}

const secret = needed('TESSERA_SUBGRAPH_SECRET')
const keys = createRemoteJWKSet(new URL(needed('JWKS_URL')))
const expected = {
  issuer: needed('JWT_ISSUER'),
  audience: needed('JWT_AUDIENCE'),
  algorithms: ['RS256', 'ES256'],
}

/** The claims of the caller's token; null without a token, and for one that does not hold. */
async function callerOf(authorization: string | null): Promise<JWTPayload | null> {
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined) return null
  try {
    return (await jwtVerify(token, keys, expected)).payload
  } catch {
    return null
  }
}

export const gatewayConfig = {
  genericAuth: {
    mode: 'protect-granular' as const,
    // With false, refused fields are null and the rest is answered, but refused lists and what stands below them have
    // no error at their place (bench/audit/README.md). With true the whole operation is refused, before anything is fetched.
    rejectUnauthenticated: true,
    resolveUserFn: ({ request }: { request: Request }) => callerOf(request.headers.get('authorization')),
    extractScopes: (caller: JWTPayload | null | undefined) =>
      typeof caller?.scope === 'string' ? caller.scope.split(' ').filter((scope) => scope !== '') : [],
  },
  propagateHeaders: {
    fromClientToSubgraphs({ request, subgraphName }: { request: Request; subgraphName: string }) {
      const own = `x-${subgraphName}-authorization`
      const passed = ['authorization', 'x-request-id', 'traceparent', 'tracestate', own].flatMap((name) => {
        const value = request.headers.get(name)
        return value === null ? [] : [[name, value] as const]
      })
      // What proves the gateway to the services.
      return { ...Object.fromEntries(passed), 'router-authorization': `Bearer ${secret}` }
    },
  },
  // The services' messages are written for clients, and their codes are what clients act on.
  maskedErrors: false,
}
