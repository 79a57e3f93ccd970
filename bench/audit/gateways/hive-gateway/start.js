/**
 * Hive Gateway with its own authorization (generic auth, `protect-granular`), configured as in its documentation.
 * Refused fields become null, unless AUDIT_HIVE_REJECT=true. AUDIT_HIVE_PLANNER=native uses the planner of its
 * router.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import httpTransport from '@graphql-mesh/transport-http'

const { AUDIT_SUPERGRAPH, AUDIT_PORT, AUDIT_JWT_SECRET, AUDIT_HIVE_REJECT, AUDIT_HIVE_PLANNER } = process.env

/** The claims of a token that the audit has signed; null without one. */
function userOf(header) {
  const [, signed, signature] = /^Bearer ([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(header ?? '') ?? []
  if (signed === undefined) return null
  const right = createHmac('sha256', AUDIT_JWT_SECRET).update(signed).digest()
  const given = Buffer.from(signature, 'base64url')
  if (right.length !== given.length || !timingSafeEqual(right, given)) return null
  return JSON.parse(Buffer.from(signed.split('.')[1], 'base64url').toString())
}

const planner =
  AUDIT_HIVE_PLANNER === 'native'
    ? { unifiedGraphHandler: (await import('@graphql-hive/router-runtime')).unifiedGraphHandler }
    : {}

const runtime = createGatewayRuntime({
  ...planner,
  supergraph: readFileSync(AUDIT_SUPERGRAPH, 'utf8'),
  transports: { http: httpTransport },
  genericAuth: {
    mode: 'protect-granular',
    rejectUnauthenticated: AUDIT_HIVE_REJECT === 'true',
    resolveUserFn: (context) => userOf(context.request?.headers.get('authorization')),
    extractScopes: (user) => (user.scope ?? '').split(' ').filter((scope) => scope !== ''),
  },
  deferStream: true,
  logging: false,
  landingPage: false,
  graphiql: false,
})
createServer(runtime).listen(Number(AUDIT_PORT), '127.0.0.1')
