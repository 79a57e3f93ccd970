/**
 * `tessera check`: whether the configuration is valid, and whether everything that it names works: services with
 * their credentials, subgraph services, a foreign supergraph, trusted operations, the issuers' keys and
 * introspection, Redis, the collector of traces, the file of hooks, the coprocessor. It also does everything that
 * `tessera serve` does before it listens, so that every file is read and the result is the same. It warns about names
 * of subgraphs that the graph does not have, and about credentials without a service. It writes only small keys to
 * Redis, which expire after five minutes at most.
 */
import { subgraphNames } from '../../../subgraphs/index.ts'
import { CredentialsFileError } from '../../../subgraphs/kit/credentials/credentials-file.ts'
import { checkGateway } from '../../app.ts'
import { type Config, configJsonSchema, readConfig } from '../../config/index.ts'
import { readNamedBy } from '../../reload/index.ts'
import { createLogger } from '../../telemetry/log.ts'
import { type Command, ConfigurationError, exitCodes, firstLineOf, UsageError } from '../command.ts'
import { subgraphUrlsFrom } from '../configuration.ts'
import { sharedFeaturesOf, workersOf } from '../serve-workers.ts'
import { startServed } from '../services.ts'
import { type Finding, look } from './finding.ts'
import { checkCoprocessor, checkHooks, checkIntrospection, checkIssuer, checkTraces } from './integrations.ts'
import { checkCredentials, checkNames, checkServiceHeaders, checkUnread } from './names.ts'
import { checkRedis } from './redis.ts'
import { checkServices } from './services.ts'
import { checkSubgraphs } from './subgraphs.ts'
import { checkManifest, checkSupergraph } from './supergraph.ts'

async function everything(config: Config, scopesByServices: boolean): Promise<Finding[]> {
  const { trustedIssuers, traces, coprocessor } = config
  const timeoutMs = config.calls.upstreamTimeoutMs
  const looks: Promise<Finding | Finding[]>[] = []
  if (config.supergraph.places === undefined) {
    const { urls, secret } = config.subgraph
    looks.push(checkServices(config).catch(credentialsFault))
    looks.push(checkSubgraphs(urls, { secret, scopesByServices, timeoutMs }))
    looks.push(
      Promise.resolve([
        ...checkNames(config, subgraphNames),
        ...checkServiceHeaders(config),
        ...checkCredentials(config),
      ]),
    )
  } else looks.push(checkSupergraph(config.supergraph.places, config))
  const { mode, manifest } = config.persisted
  if (mode === 'trusted' && manifest !== undefined) looks.push(checkManifest(manifest, config))
  if (config.hooks.file !== undefined) looks.push(checkHooks(config.hooks.file))
  if (coprocessor !== undefined) looks.push(checkCoprocessor(coprocessor, timeoutMs))
  for (const { key, introspection } of trustedIssuers) {
    if (key?.kind === 'jwks') looks.push(checkIssuer(key.url))
    if (introspection !== undefined) looks.push(checkIntrospection(introspection))
  }
  looks.push(checkRedis(config))
  if (traces.url !== undefined) looks.push(checkTraces(traces.url, traces.headers, timeoutMs))
  looks.push(checkStart(config))
  return (await Promise.all(looks)).flat()
}

/** No service can be asked if the file of a credential cannot be used. */
function credentialsFault(error: unknown): Finding {
  if (!(error instanceof CredentialsFileError)) throw error
  return {
    subject: 'services',
    place: 'file',
    milliseconds: 0,
    tried: 'read their credentials',
    said: error.message,
    cure: 'correct the file that TESSERA_…_CREDENTIAL names',
  }
}

function printed(findings: readonly Finding[], colour: boolean): string {
  const width = (of: (finding: Finding) => string): number =>
    Math.max(...findings.map((each) => of(each).length))
  const [subjects, places] = [width(({ subject }) => subject), width(({ place }) => place)]
  const lines = findings.map(({ subject, place, milliseconds, tried, said, cure, warning }) => {
    const [state, colourCode] =
      cure !== undefined ? ['FAILED', 31] : warning !== undefined ? ['WARN  ', 33] : ['ok    ', 32]
    const toDo = cure ?? warning
    const text = [
      state,
      subject.padEnd(subjects),
      place.padEnd(places),
      `${String(Math.round(milliseconds)).padStart(5)} ms`,
      `${tried}${said === undefined ? '' : `: ${said}`}`,
    ].join('  ')
    const painted = colour ? `\u001b[${colourCode}m${text}\u001b[0m` : text
    return `${painted}\n${toDo === undefined ? '' : `        to do: ${toDo}\n`}`
  })
  return lines.join('')
}

function asJson(findings: readonly Finding[]): string {
  const looks = findings.map(({ cure, warning, milliseconds, ...finding }) => ({
    state: cure !== undefined ? 'failed' : warning !== undefined ? 'warn' : 'ok',
    ...finding,
    milliseconds: Math.round(milliseconds),
    toDo: cure ?? warning,
  }))
  return `${JSON.stringify({ ok: looks.every(({ state }) => state !== 'failed'), looks }, null, 2)}\n`
}

export const checkCommand: Command = {
  synopsis: '[--scopes gateway|services] [--url NAME=URL …] [--json] [--schema]',
  options: {
    scopes: {
      value: 'WHO',
      help: 'who checks scopes: gateway, or services (then each must refuse a scoped field without a token); services if TESSERA_SUBGRAPH_SCOPES is true',
    },
    url: {
      multiple: true,
      value: 'NAME=URL',
      help: 'the address of one of our subgraph services; that of TESSERA_…_SUBGRAPH_URL by default',
    },
    json: { help: 'as JSON, one object for each check, with its state: ok, warn or failed' },
    schema: {
      help: 'print the JSON schema of the configuration file, for editors, and check nothing',
    },
  },
  example: 'TESSERA_METRICS_URL=http://127.0.0.1:9090 tessera check',

  async run(args, io) {
    if (args.flag('schema')) {
      io.out(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
      return exitCodes.done
    }
    const scopes = args.string('scopes')
    if (scopes !== undefined && scopes !== 'gateway' && scopes !== 'services')
      throw new UsageError(`--scopes takes "gateway" or "services", not ${JSON.stringify(scopes)}`)
    const urls = subgraphUrlsFrom(args.strings('url'))
    const { config, faults } = readConfig(io.env)
    if (faults !== undefined) {
      if (!args.flag('json')) throw new ConfigurationError(faults)
      io.out(`${JSON.stringify({ ok: false, faults }, null, 2)}\n`)
      return exitCodes.usage
    }
    const subgraph = { ...config.subgraph, urls: { ...config.subgraph.urls, ...urls } }
    if (scopes === 'services' && Object.keys(subgraph.urls).length === 0)
      throw new UsageError(
        '--scopes services requires subgraph services: name each with --url NAME=URL or TESSERA_…_SUBGRAPH_URL',
      )
    const scopesByServices = scopes === undefined ? config.subgraph.scopes : scopes === 'services'
    const findings = [
      ...(await everything({ ...config, subgraph }, scopesByServices)),
      ...checkUnread(io.env),
    ]
    io.out(args.flag('json') ? asJson(findings) : printed(findings, io.colour))
    return findings.every(({ cure }) => cure === undefined) ? exitCodes.done : exitCodes.failed
  },
}

/** Whether `tessera serve` would start: does everything that it does before it listens, by the same functions. */
function checkStart(config: Config): Promise<Finding> {
  return look(
    {
      subject: 'start',
      place: 'configuration',
      tried: 'prepared everything as tessera serve does',
    },
    async () => {
      const said = await refusalOf(config)
      return said === undefined
        ? {}
        : { said, cure: 'correct this: tessera serve would refuse to start with the same words' }
    },
  )
}

/** The message with which `tessera serve` would refuse to start; undefined if it would start. */
async function refusalOf(config: Config): Promise<string | undefined> {
  const { refused } = sharedFeaturesOf(config)
  if (workersOf(config) > 1 && refused.length > 0) return refused.join('; ')
  const read = await readNamedBy(config)
  if ('faults' in read) return read.faults.join('; ')
  try {
    const { options, services } = await startServed(read)
    try {
      await checkGateway({ ...options, log: createLogger({ level: 'silent' }) })
      return undefined
    } finally {
      await services?.close()
    }
  } catch (error) {
    return firstLineOf(error)
  }
}
