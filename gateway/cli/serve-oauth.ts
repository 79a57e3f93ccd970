/**
 * `tessera serve --oauth`: runs an authorization server of the sandbox beside the gateway, which accepts its
 * tokens.
 */
import { type Config, isAllSandbox } from '../config/index.ts'
import { UsageError } from './command.ts'
import { freePort } from './free-port.ts'
import { type CommandOauthServer, startCommandOauthServer } from './oauth-server.ts'

/** The default port, which is also that of `tessera sandbox --oauth`. */
const defaultPort = 4101

export interface ServeOauthOptions {
  readonly config: Config
  readonly isOpaque: boolean
  /** Its port. If it is undefined, it is the default port, or a free one if the gateway has a free one. */
  readonly port: number | undefined
}

/**
 * The server, and what to add to the gateway's environment. Throws a UsageError if a real service is behind the
 * graph, because the server gives tokens to everybody.
 */
export async function startServeOauth({
  config,
  isOpaque,
  port,
}: ServeOauthOptions): Promise<CommandOauthServer> {
  const { host } = config.server
  if (!isAllSandbox(config) || config.supergraph.places !== undefined)
    throw new UsageError(
      '--oauth is only for the sandbox: it gives tokens to everybody, so no service, subgraph or issuer may be configured',
    )
  if (config.server.workers !== 1)
    throw new UsageError('--oauth serves with one process: leave out --workers')
  // The address of the graph must be known before the gateway listens, because tokens name it.
  const own = config.server.port === 0 ? await freePort(host) : config.server.port
  const name = host.includes(':') ? `[${host}]` : host
  const resource = `${config.server.publicUrl ?? `http://${name}:${own}`}/graphql`
  const started = await startCommandOauthServer({
    host,
    port: port ?? (config.server.port === 0 ? 0 : defaultPort),
    resource,
    isOpaque,
  })
  return {
    ...started,
    variables: {
      ...started.variables,
      PORT: String(own),
      ...(config.dpop.mode === 'off' ? { TESSERA_DPOP: 'accept' } : {}),
    },
  }
}
