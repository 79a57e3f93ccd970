/** `tessera subgraph NAME`: one subgraph as an HTTP service, for a gateway elsewhere. */
import { ClosingStack } from '../../shared/runtime/closing-stack.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { defaultSubgraphPort, type SubgraphName, serviceNames, subgraphNames } from '../../subgraphs/index.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { readRules } from '../auth/authorize/access-rules.ts'
import { serviceAuthenticatorFrom } from '../auth/from-config.ts'
import type { Config } from '../config/index.ts'
import { quotaFrom } from '../costs/from-config.ts'
import { fastParts } from '../fast.ts'
import { startSubgraphService } from '../hosts/subgraph.ts'
import { createFileWatch } from '../reload/index.ts'
import { tlsFrom } from '../server/from-config.ts'
import { ListenError } from '../server/server.ts'
import { storesFrom } from '../stores/from-config.ts'
import { createLogger, type Logger } from '../telemetry/log.ts'
import { Metrics } from '../telemetry/metrics/index.ts'
import { openTraces } from '../telemetry/traces/index.ts'
import { type LocalSubgraphOptions, localSubgraph, reportsOf } from '../transports/local-subgraph.ts'
import { serviceHeaderFaults } from '../transports/service-headers.ts'
import {
  type Command,
  CommandError,
  ConfigurationError,
  exitCodes,
  type Io,
  logDestination,
  readPort,
  UsageError,
} from './command.ts'
import { configurationFrom } from './configuration.ts'
import { startServices } from './services.ts'

function isSubgraphName(name: string | undefined): name is SubgraphName {
  return subgraphNames.some((known) => known === name)
}

/**
 * A warning if this service resolves scoped fields for every accepted caller. The same secret lets in other
 * routers, and a router whose supergraph lacks the directives checks no scopes.
 */
function uncheckedScopes({ typeDefs }: Subgraph, config: Config): readonly string[] {
  if (config.subgraph.scopes || readRules(typeDefs).claims.length === 0) return []
  const who =
    config.subgraph.secret === undefined
      ? 'everybody who reaches this port'
      : 'every router that has TESSERA_SUBGRAPH_SECRET'
  return [
    `WARNING   scopes are not checked here: ${who} gets scoped fields, whatever the caller's token says. Set TESSERA_SUBGRAPH_SCOPES=true with a key for tokens, unless the gateway in front checks them (ours does).`,
  ]
}

/** The sandbox has its own tokens, if callers' tokens reach the service. */
function callerCheck(
  config: Config,
  name: string,
  ofSandbox: Authenticator | undefined,
): Authenticator | undefined {
  const { scopes, caller } = config.subgraph
  if (scopes && caller === 'token' && ofSandbox !== undefined) return ofSandbox
  return serviceAuthenticatorFrom(config, name)
}

export const subgraphCommand: Command = {
  synopsis: `${subgraphNames.join('|')} [--port N] [--host H]`,
  operands: 1,
  options: {
    port: {
      value: 'N',
      help: 'the port; 4001 and following in the order of the names by default',
    },
    host: { value: 'H', help: 'address to listen on (HOST)' },
  },
  example: 'tessera subgraph videos --port 4001',

  async run(args, io) {
    const [name] = args.positionals
    if (!isSubgraphName(name)) throw new UsageError(`name one of ${subgraphNames.join(', ')}`)
    const host = args.string('host')
    const config = configurationFrom({ ...io.env, ...(host === undefined ? {} : { HOST: host }) })
    const isReal = serviceNames.some((service) => config.services[service].url !== undefined)
    if (config.subgraph.secret === undefined && isReal)
      throw new ConfigurationError([
        'TESSERA_SUBGRAPH_SECRET is required as soon as a real service is behind it',
      ])
    const headerFaults = serviceHeaderFaults(config, [name])
    if (headerFaults.length > 0) throw new ConfigurationError(headerFaults)
    const closing = new ClosingStack()
    try {
      await serve(name, config, readPort(args), io, closing)
      await closing.close()
      return exitCodes.done
    } catch (error) {
      await closing.abandon()
      throw error instanceof ListenError ? new CommandError(error.message) : error
    }
  },
}

/** Serves the subgraph until the command is stopped. What it opens is closed with `closing`. */
async function serve(
  name: SubgraphName,
  config: Config,
  port: number | undefined,
  io: Io,
  closing: ClosingStack,
): Promise<void> {
  const services = await startServices(
    config,
    serviceNames.filter((service) => service === name),
  )
  closing.add(() => services.close())
  const log = createLogger({ level: config.log.level, destination: logDestination(io) })
  const ending = new AbortController()
  closing.add(() => ending.abort())
  const certificate = createFileWatch(
    () => Object.values(config.server.tls).filter((file) => file !== undefined),
    ending.signal,
  )
  // Before they are read: later content is a change.
  await certificate.note()
  let url = ''
  const { subgraph, metrics, traces } = await openSubgraph(
    name,
    {
      config,
      serviceUrls: services.urls,
      publicUrl: () => config.server.publicUrl ?? new URL(url).origin,
    },
    log,
    closing,
  )
  const authenticator = callerCheck(config, name, services.authenticator)
  closing.add(() => authenticator?.close())
  const service = await startSubgraphService({
    subgraph,
    config,
    port: port ?? defaultSubgraphPort(name),
    authenticator,
    tls: tlsFrom(config, log),
    frames: config.subgraph.frames ? fastParts.frames?.serve : undefined,
    metrics,
    traces,
    log,
  })
  closing.add(() => service.stop(config.shutdown.graceMs, config.shutdown.delayMs))
  url = service.url
  io.onHangUp(service.renewCertificate)
  io.out(`${name}  ${url}\n`)
  for (const line of uncheckedScopes(subgraph, config)) io.out(`${line}\n`)
  if (config.reload.watchMs > 0) certificate.begin(config.reload.watchMs, service.renewCertificate)
  await io.stopped()
}

/** The subgraph, with what counts and records its calls. */
async function openSubgraph(
  name: SubgraphName,
  options: Pick<LocalSubgraphOptions, 'config' | 'serviceUrls' | 'publicUrl'>,
  log: Logger,
  closing: ClosingStack,
) {
  const { config } = options
  const metrics = new Metrics()
  const stores = storesFrom({ config }, log)
  const traces = await openTraces(config.traces, log)
  closing.add(() => traces?.close())
  const quota = quotaFrom(config, { stores, log })
  closing.add(() => quota.close())
  const subgraph = localSubgraph(name, {
    ...options,
    ...reportsOf({ stores, metrics, quota, traces }, closing),
    admit: ({ units = 0 }, _credentialKey, request) => quota.calls.admit(units, request),
    settle: quota.calls.settle,
  })
  closing.add(() => subgraph.close())
  return { subgraph, metrics, traces }
}
