/** `tessera serve`: the gateway, with the sandbox instead of every service that is not configured. */
import { GraphQLError } from 'graphql'
import { SupergraphError } from '../../engine/supergraph/index.ts'
import { ClosingStack } from '../../shared/runtime/closing-stack.ts'
import { serviceNames } from '../../subgraphs/index.ts'
import { CredentialsFileError } from '../../subgraphs/kit/credentials/credentials-file.ts'
import { scopesOf } from '../auth/scope-offers.ts'
import { joinPrimary, type Membership } from '../cluster/index.ts'
import { type Config, isAllSandbox, readConfig } from '../config/index.ts'
import { type Gateway, startGateway } from '../index.ts'
import { createReloadSource, type Reading, type ReloadSource } from '../reload/index.ts'
import { ListenError } from '../server/server.ts'
import { createLogger } from '../telemetry/log.ts'
import {
  type Command,
  CommandError,
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
    if (!withOauth) return serveHere({ env, io, membership, sandbox })
    const { startServeOauth } = await import('./oauth-server.ts')
    const { server, line, variables } = await startServeOauth({
      config,
      isOpaque: args.flag('oauth-opaque'),
      port: readPort(args, 'oauth-port'),
    })
    try {
      return await serveHere({ env: { ...env, ...variables }, io, membership, sandbox, started: [line] })
    } finally {
      await server.close()
    }
  },
}

interface ServeOptions {
  readonly env: Io['env']
  readonly io: Io
  /** In one of several workers. */
  readonly membership: Membership | undefined
  /** The address of a sandbox that already runs. */
  readonly sandbox: string | undefined
  /** Names what was started before. */
  readonly started?: readonly string[]
}

/** Runs the gateway in this process, alone or as one of several workers. */
async function serveHere(options: ServeOptions): Promise<number> {
  const { membership } = options
  const closing = new ClosingStack()
  try {
    await serve(options, closing)
    await closing.close()
    return exitCodes.done
  } catch (error) {
    await closing.abandon()
    if (membership === undefined || !(error instanceof CommandError)) throw error
    // The primary prints a failure once for all workers.
    membership.fails(error.message)
    return exitCodes.failed
  } finally {
    membership?.disconnect()
  }
}

/**
 * Serves the graph until the command is stopped. What it opens is closed with `closing`. Rejects with a `CommandError` if
 * what the user gave cannot be served.
 */
async function serve(options: ServeOptions, closing: ClosingStack): Promise<void> {
  const { env, io, membership, started = [] } = options
  const { welcome } = membership ?? {}
  if (welcome?.sandboxKey !== undefined) takeSandboxKey(welcome.sandboxKey)
  // A supervisor may ask for a reload as soon as the process runs: what was read already may be old by then.
  let isReloadDue = false
  let reload = (): void => {
    isReloadDue = true
  }
  io.onHangUp(() => reload())
  // The source ends before what is made of it, so that nothing asks for a reload while the gateway drains.
  const opened = new ClosingStack()
  closing.add(() => opened.close())
  const source = createReloadSource({ env })
  closing.add(() => source.close())
  const read = await source.read()
  if ('faults' in read) throw new CommandError(read.faults.join('\n'))
  const { gateway, services } = await startFrom(read, source, options, opened)
  let handOverMs: number | undefined
  opened.add(() => (handOverMs === undefined ? gateway.stop() : gateway.handOver(handOverMs)))
  await read.serves?.()
  const { config } = read
  if (membership === undefined || welcome?.worker === 1)
    for (const warning of strayCredentials(config)) io.err(`tessera serve: warning: ${warning}\n`)
  const lines = [...linesOf(gateway, config, services), ...started, ...closedScopes(config, gateway)]
  if (membership === undefined) for (const line of lines) io.out(`${line}\n`)
  else membership.serves({ lines }, gateway)
  // Each reload logs its own result.
  reload = () => void withYoungSpaceAsItIs(() => gateway.reload())
  source.watch(reload, gateway.cannotSee)
  if (isReloadDue) reload()
  handOverMs = await Promise.race([
    io.stopped().then(() => undefined),
    ...(membership ? [membership.ordered] : []),
  ])
}

/** The gateway, and the services that it calls here. What is opened is closed with `opened`. */
async function startFrom(
  read: Reading,
  source: ReloadSource,
  { io, membership, sandbox }: ServeOptions,
  opened: ClosingStack,
) {
  const { shared, welcome } = membership ?? {}
  const { config } = read
  try {
    const { services, options } = await startServed(read, welcome?.sandbox ?? sandbox)
    opened.add(() => services?.close())
    const gateway = await startGateway({
      ...options,
      reread: source.read,
      sources: source,
      shared,
      log: createLogger({
        level: config.log.level,
        destination: logDestination(io),
        worker: welcome?.worker,
      }),
    })
    return { gateway, services }
  } catch (error) {
    if (!(error instanceof ListenError || isAboutInput(error))) throw error
    const place = config.supergraph.places
    // An address may contain a secret.
    const file = place?.includes('://') ? 'the supergraph' : place
    throw new CommandError(`${file === undefined ? '' : `${file}: `}${firstLineOf(error)}`)
  }
}

/** What is where. */
function linesOf(
  { url, adminUrl }: Gateway,
  { explorer }: Config,
  services: SandboxedServices | undefined,
): readonly string[] {
  const { sandboxed = [] } = services ?? {}
  return [
    `graph     ${url}/graphql`,
    ...(explorer.mode === 'off' ? [] : [`explorer  ${url}/`]),
    `health    ${url}/health/ready`,
    `metrics   ${url}/metrics`,
    ...(adminUrl === undefined ? [] : [`admin     ${adminUrl}`]),
    ...(sandboxed.length === 0 ? [] : [`sandbox   ${sandboxed.join(', ')}`]),
  ]
}
