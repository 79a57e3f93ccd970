/** `tessera serve`: the gateway, with the sandbox instead of every service that is not configured. */
import { GraphQLError } from 'graphql'
import { SupergraphError } from '../../engine/supergraph/index.ts'
import { serviceNames } from '../../subgraphs/index.ts'
import { CredentialsFileError } from '../../subgraphs/kit/credentials/credentials-file.ts'
import { scopesOf } from '../auth/scope-offers.ts'
import { joinPrimary, type Membership } from '../cluster/index.ts'
import { type Config, isAllSandbox, readConfig } from '../config/index.ts'
import { type Gateway, startGateway } from '../index.ts'
import { createReloadSource } from '../reload/index.ts'
import { ListenError } from '../server/server.ts'
import { createLogger } from '../telemetry/log.ts'
import {
  type Arguments,
  type Command,
  exitCodes,
  firstLineOf,
  type Io,
  logDestination,
  readPort,
  UsageError,
} from './command.ts'
import { takeSandboxKey } from './sandbox-token.ts'
import { serveWithWorkers, workersOf } from './serve-workers.ts'
import { type SandboxedServices, startServed, strayCredentials } from './services.ts'
import { withYoungSpaceAsItIs } from './v8-flags.ts'

/** Whether the error concerns the user's input, such as a malformed file, and is no defect of this program. */
function isAboutInput(error: unknown): error is Error {
  const kinds = [SupergraphError, GraphQLError, CredentialsFileError, SyntaxError]
  if (kinds.some((kind) => error instanceof kind)) return true
  return error instanceof Error && error.constructor === Error
}

/**
 * Fields that nobody can read, because a real service is configured without a key for tokens, and how to open them.
 */
function closedScopes(config: Config, { supergraph, engine }: Gateway): readonly string[] {
  if (config.trustedIssuers.length > 0 || isAllSandbox(config)) return []
  const scopes = scopesOf(supergraph, engine.schema).map(({ name }) => name)
  if (scopes.length === 0) return []
  const real = serviceNames.filter((name) => config.services[name].url !== undefined)
  const because = real.length === 0 ? 'subgraphs are remote' : `real services: ${real.join(', ')}`
  return [
    `scopes    closed: ${scopes.join(', ')}`,
    `          Fields that need them are refused (${because}; no key for tokens is configured).`,
    '          To open them set TESSERA_JWT_JWKS_URL, TESSERA_JWT_PUBLIC_KEY or TESSERA_JWT_SECRET.',
  ]
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** The sandbox may be only on this machine, because with a sandbox our own tokens open every field. */
function readSandbox(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !loopback.has(url.hostname))
    throw new UsageError(
      '--sandbox expects the address of a sandbox on this machine, such as http://127.0.0.1:4100',
    )
  return url.origin
}

export const serveCommand: Command = {
  synopsis: '[--port N] [--host H] [--workers N|auto] [--supergraph FILE|URL] [--sandbox URL] [--oauth]',
  options: {
    port: { value: 'N', help: 'the port; 0 takes a free one (PORT)' },
    host: { value: 'H', help: 'address to listen on (HOST)' },
    workers: {
      value: 'N|auto',
      help: 'processes that serve the port together; auto means one for each core (TESSERA_WORKERS)',
    },
    supergraph: {
      value: 'FILE|URL',
      help: 'serve this supergraph over HTTP subgraphs instead of our own (TESSERA_SUPERGRAPH)',
    },
    oauth: {
      help: 'also run an authorization server for development, at which the explorer signs in (needs the package oidc-provider)',
    },
    'oauth-port': { value: 'N', help: 'the port of that server; 4101 by default' },
    'oauth-opaque': { help: 'its tokens are opaque, and introspected' },
    sandbox: {
      value: 'URL',
      help: 'use the sandbox at this address of this machine (tessera sandbox), so that its data outlive this process',
    },
  },
  example: 'tessera serve --port 4000',

  async run(args, io) {
    const port = readPort(args)
    const host = args.string('host')
    const workers = args.string('workers')
    const supergraph = args.string('supergraph')
    // As a variable it would count as absent, and the sandbox would be served.
    if (supergraph === '') throw new UsageError('--supergraph is empty: name a file or addresses')
    const env = {
      ...io.env,
      ...(port === undefined ? {} : { PORT: String(port) }),
      ...(host === undefined ? {} : { HOST: host }),
      ...(workers === undefined ? {} : { TESSERA_WORKERS: workers }),
      ...(supergraph === undefined ? {} : { TESSERA_SUPERGRAPH: supergraph }),
    }
    const membership = await joinPrimary()
    const { config, faults } = readConfig(env)
    if (faults !== undefined) {
      const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
      const text = [`the configuration has ${count}:`, ...faults.map((fault) => `  ${fault}`)].join('\n')
      if (membership === undefined) io.err(`tessera: ${text}\n`)
      else {
        membership.fails(text)
        membership.disconnect()
      }
      return exitCodes.usage
    }
    const sandbox = readSandbox(args.string('sandbox'))
    const count = workersOf(config)
    const withOauth = args.flag('oauth')
    if (membership === undefined && count > 1 && !withOauth)
      return serveWithWorkers({ count, config, sandbox, io })
    if (!withOauth) return serveHere(args, env, io, membership)
    const { startServeOauth } = await import('./oauth-server.ts')
    const { server, line, variables } = await startServeOauth({
      config,
      isOpaque: args.flag('oauth-opaque'),
      port: readPort(args, 'oauth-port'),
    })
    try {
      return await serveHere(args, { ...env, ...variables }, io, membership, [line])
    } finally {
      await server.close()
    }
  },
}

/** Runs the gateway in this process, alone or as one of several workers. `started` names what was started before. */
async function serveHere(
  args: Arguments,
  env: Io['env'],
  io: Io,
  membership: Membership | undefined,
  started: readonly string[] = [],
): Promise<number> {
  const { shared, welcome } = membership ?? {}
  /** The primary prints a failure once for all workers. */
  const complain = (text: string): void => {
    if (membership === undefined) io.err(`tessera serve: ${text}\n`)
    else membership.fails(text)
  }
  const leave = (code: number): number => {
    membership?.disconnect()
    return code
  }
  if (welcome?.sandboxKey !== undefined) takeSandboxKey(welcome.sandboxKey)
  // A supervisor may ask for a reload as soon as the process runs: what was read already may be old by then.
  let isReloadDue = false
  let reload = (): void => {
    isReloadDue = true
  }
  io.onHangUp(() => reload())
  const source = createReloadSource({ env })
  const read = await source.read()
  if ('faults' in read) {
    complain(read.faults.join('\n'))
    await source.close()
    return leave(exitCodes.failed)
  }
  const { config } = read
  const place = config.supergraph.places
  // An address may contain a secret.
  const file = place?.includes('://') ? 'the supergraph' : place
  const sandbox = welcome?.sandbox ?? readSandbox(args.string('sandbox'))
  let services: SandboxedServices | undefined
  let gateway: Gateway
  try {
    const served = await startServed(read, sandbox)
    services = served.services
    gateway = await startGateway({
      ...served.options,
      reread: source.read,
      sources: source,
      shared,
      log: createLogger({
        level: config.log.level,
        destination: logDestination(io),
        worker: welcome?.worker,
      }),
    })
  } catch (error) {
    await source.close()
    await services?.close()
    if (error instanceof ListenError || isAboutInput(error)) {
      complain(`${file === undefined ? '' : `${file}: `}${firstLineOf(error)}`)
      return leave(exitCodes.failed)
    }
    throw error
  }
  await read.serves?.()
  if (membership === undefined || welcome?.worker === 1)
    for (const warning of strayCredentials(config)) io.err(`tessera serve: warning: ${warning}\n`)
  const lines = [
    `graph     ${gateway.url}/graphql`,
    ...(config.explorer.mode === 'off' ? [] : [`explorer  ${gateway.url}/`]),
    `health    ${gateway.url}/health/ready`,
    `metrics   ${gateway.url}/metrics`,
    ...(gateway.adminUrl === undefined ? [] : [`admin     ${gateway.adminUrl}`]),
    ...(services === undefined || services.sandboxed.length === 0
      ? []
      : [`sandbox   ${services.sandboxed.join(', ')}`]),
    ...started,
    ...closedScopes(config, gateway),
  ]
  if (membership === undefined) for (const line of lines) io.out(`${line}\n`)
  else membership.serves({ lines }, gateway)
  // Each reload logs its own result.
  reload = () => void withYoungSpaceAsItIs(() => gateway.reload())
  source.watch(reload, gateway.cannotSee)
  if (isReloadDue) reload()
  const handOverMs = await Promise.race([
    io.stopped().then(() => undefined),
    ...(membership ? [membership.ordered] : []),
  ])
  await source.close()
  await (handOverMs === undefined ? gateway.stop() : gateway.handOver(handOverMs))
  await services?.close()
  return leave(exitCodes.done)
}
