/** `tessera serve --oauth`: an authorization server of the sandbox beside the gateway, whose tokens the gateway takes. */
import { type Config, isAllSandbox } from '../config/index.ts'
import { UsageError } from './command.ts'
import { freePort } from './free-port.ts'
import { type CommandOauthServer, startCommandOauthServer } from './oauth-server.ts'

/** Its port unless another is said, as `tessera sandbox --oauth` does. */
const usualPort = 4101

export interface ServeOauthOptions {
  readonly config: Config
  readonly isOpaque: boolean
  /** Its port; undefined is as usual, and a free port if the gateway has one. */
  readonly port: number | undefined
}

/**
 * The server, and what to add to the environment of the gateway. Throws a UsageError if anything real stands behind
 * the graph: the server gives tokens to all who ask.
 */
export async function startServeOauth({
  config,
  isOpaque,
  port,
}: ServeOauthOptions): Promise<CommandOauthServer> {
  const { host, values } = config
  if (!isAllSandbox(config) || values.TESSERA_SUPERGRAPH !== undefined)
    throw new UsageError(
      '--oauth is for the sandbox alone: it gives tokens to all who ask, so neither a service, nor a subgraph, nor an issuer may be configured',
    )
  if (values.TESSERA_WORKERS !== 1)
    throw new UsageError('--oauth serves with one process: leave out --workers')
  // The address of the graph has to be known before the gateway listens: tokens name it.
  const own = config.port === 0 ? await freePort(host) : config.port
  const name = host.includes(':') ? `[${host}]` : host
  const resource = `${values.TESSERA_PUBLIC_URL ?? `http://${name}:${own}`}/graphql`
  const { server, variables } = await startCommandOauthServer({
    host,
    port: port ?? (config.port === 0 ? 0 : usualPort),
    resource,
    isOpaque,
  })
  return {
    server,
    variables: {
      ...variables,
      PORT: String(own),
      ...(values.TESSERA_DPOP === 'off' ? { TESSERA_DPOP: 'accept' } : {}),
    },
  }
}
