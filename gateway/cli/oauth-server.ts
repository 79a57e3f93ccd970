/**
 * Starts the sandbox's authorization server for a command, with the variables by which a gateway accepts its
 * tokens.
 */

import { loadSupergraph } from '../../engine/supergraph/index.ts'
import {
  applicationId,
  gatewayClient,
  MissingPackageError,
  type OauthServer,
  startOauthServer,
} from '../../sandbox/oauth/index.ts'
import { readSchemaFile } from '../../subgraphs/kit/subgraph.ts'
import { scopesOf } from '../auth/scope-offers.ts'
import { ListenError } from '../server/server.ts'
import { CommandError } from './command.ts'

export interface OauthServerPlace {
  readonly host: string
  /** 0 means a free port. */
  readonly port: number
  /** The audience of its tokens, which is the address of the graph. */
  readonly resource: string
  /** Whether its tokens are opaque, so that they need introspection. */
  readonly isOpaque: boolean
}

export interface CommandOauthServer {
  readonly server: OauthServer
  /** The line that a command prints about it. */
  readonly line: string
  /** The configuration with which a gateway accepts its tokens. */
  readonly variables: Readonly<Record<string, string>>
}

/** It offers the scopes of our own graph. Throws a CommandError if it cannot start. */
export async function startCommandOauthServer({
  host,
  port,
  resource,
  isOpaque,
}: OauthServerPlace): Promise<CommandOauthServer> {
  const supergraph = loadSupergraph(readSchemaFile('supergraph'))
  const server = await startOauthServer({
    resource,
    scopes: scopesOf(supergraph, supergraph.apiSchema).map(({ name }) => name),
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
    line: `oauth     ${server.url} (client ${applicationId}; anybody may sign in)`,
    variables: {
      ...check,
      TESSERA_JWT_ISSUER: server.url,
      TESSERA_JWT_AUDIENCE: resource,
      TESSERA_EXPLORER_CLIENT_ID: applicationId,
    },
  }
}
