/**
 * Starts the sandbox's authorization server for a command, with the variables by which a gateway accepts its
 * tokens.
 */
import {
  applicationId,
  gatewayClient,
  MissingPackageError,
  startOauthServer,
} from '../../sandbox/oauth/index.ts'
import { type Config, isAllSandbox } from '../config/index.ts'
import { ListenError } from '../server/server.ts'
import { CommandError, hostInUrl, UsageError } from './command.ts'
import { freePort } from './free-port.ts'
import { scopesIn } from './scopes.ts'

interface OauthServerPlace {
  readonly host: string
  /** 0 means a free port. */
  readonly port: number
  /** The audience of its tokens, which is the address of the graph. */
  readonly resource: string
  /** Whether its tokens are opaque, so that they need introspection. */
  readonly isOpaque: boolean
}

/** It offers the scopes of our own graph. Throws a CommandError if it cannot start. */
export async function startCommandOauthServer({ host, port, resource, isOpaque }: OauthServerPlace) {
  const server = await startOauthServer({
    resource,
    scopes: scopesIn().map(({ name }) => name),
    format: isOpaque ? 'opaque' : 'jwt',
    port,
    host,
  }).catch((error: unknown) => {
    if (error instanceof MissingPackageError) throw new CommandError(error.message)
    throw new CommandError(new ListenError(host, port, error).message)
  })
  const check = isOpaque
    ? {
        TESSERA_INTROSPECTION_URL: `${server.url}/token/introspection`,
        TESSERA_INTROSPECTION_CLIENT_ID: gatewayClient.id,
        TESSERA_INTROSPECTION_CLIENT_SECRET: gatewayClient.secret,
      }
    : { TESSERA_JWT_JWKS_URL: `${server.url}/jwks`, TESSERA_JWT_TYPE: 'at+jwt' }
  return {
    server,
    /** The line that a command prints about it. */
    line: `oauth     ${server.url} (client ${applicationId}; anybody may sign in)`,
    /** The configuration with which a gateway accepts its tokens. */
    variables: {
      ...check,
      TESSERA_JWT_ISSUER: server.url,
      TESSERA_JWT_AUDIENCE: resource,
      TESSERA_EXPLORER_CLIENT_ID: applicationId,
    },
  }
}

/** The default port, which is also that of `tessera sandbox --oauth`. */
const defaultPort = 4101

/**
 * For `tessera serve --oauth`: the server, and what to add to the gateway's environment. Throws a UsageError if a real
 * service is behind the graph, because the server gives tokens to everybody.
 */
export async function startServeOauth({
  config,
  isOpaque,
  port,
}: {
  readonly config: Config
  readonly isOpaque: boolean
  /** Its port. If it is undefined, it is the default port, or a free one if the gateway has a free one. */
  readonly port: number | undefined
}) {
  const { host } = config.server
  if (!isAllSandbox(config))
    throw new UsageError(
      '--oauth is only for the sandbox: it gives tokens to everybody, so no service, subgraph, supergraph or issuer may be configured',
    )
  if (config.server.workers !== 1)
    throw new UsageError('--oauth serves with one process: leave out --workers')
  // The port must be known before the gateway listens, because tokens name the address of the graph.
  const own = config.server.port === 0 ? await freePort(host) : config.server.port
  const started = await startCommandOauthServer({
    host,
    port: port ?? (config.server.port === 0 ? 0 : defaultPort),
    resource: graphAddress(config.server, own),
    isOpaque,
  })
  return {
    ...started,
    variables: {
      ...started.variables,
      PORT: String(own),
      ...(config.dpop.mode === 'off' ? { TESSERA_DPOP: 'accept' } : {}),
      // Agents are served over the sandbox, whoever makes its tokens.
      ...(config.mcp.enabled === undefined ? { TESSERA_MCP: 'true' } : {}),
    },
  }
}

/** The address of the graph of a gateway that will listen at this port. */
export function graphAddress({ host, publicUrl }: Config['server'], port: number): string {
  return `${publicUrl ?? `http://${hostInUrl(host)}:${port}`}/graphql`
}
