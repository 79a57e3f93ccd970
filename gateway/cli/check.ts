/** `tessera check`: whether the configuration is right, and whether each service answers with its credential. */
import { type ExecutionResult, execute, parse } from 'graphql'
import { type ServiceName, serviceNames } from '../../subgraphs/index.ts'
import { localSubgraph, quotaFrom } from '../assembly/index.ts'
import { configJsonSchema, readConfig } from '../config/index.ts'
import { createGatewayRequest } from '../engine/request.ts'
import { createLogger } from '../observe/log.ts'
import { type Command, exitCodes } from './command.ts'
import { startServices } from './services.ts'

/** What each service is asked: little, and nothing that changes anything. */
const probes: Readonly<Record<ServiceName, string>> = {
  videos: '{ chartVideos(chart: MOST_POPULAR, first: 1) { nodes { videoId } } }',
  agents: '{ agent(project: "tessera-check") { id displayName } }',
  messages: '{ message(messageId: "20") { messageId text } }',
  metrics: '{ metrics { buildInfo { version } } }',
}

interface Finding {
  readonly service: ServiceName
  readonly place: string
  readonly reachable: boolean
  readonly accepted: boolean | undefined
  readonly version: string
  readonly milliseconds: number
  readonly problem: string
}

const unreachable: ReadonlySet<unknown> = new Set([
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_BAD_RESPONSE',
])
const unaccepted: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN'])

function versionIn(data: ExecutionResult['data']): string {
  const metrics = data?.metrics as { buildInfo?: { version?: unknown } | null } | null | undefined
  const version = metrics?.buildInfo?.version
  return typeof version === 'string' ? version : '-'
}

function table(findings: readonly Finding[], colour: boolean): string {
  const paint = (text: string, good: boolean): string =>
    colour ? `\u001b[${good ? 32 : 31}m${text}\u001b[0m` : text
  const rows = findings.map((finding) => [
    finding.service,
    finding.place,
    finding.reachable ? 'yes' : 'no',
    finding.accepted === undefined ? '-' : finding.accepted ? 'yes' : 'no',
    finding.version,
    `${Math.round(finding.milliseconds)} ms`,
    finding.problem,
  ])
  const head = ['service', 'place', 'reachable', 'credential', 'version', 'latency', '']
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  const body = rows.map((row, i) => paint(line(row), isGood(findings[i])))
  return `${[line(head), ...body].join('\n')}\n`
}

function isGood(finding: Finding | undefined): boolean {
  return finding?.reachable === true && finding.accepted !== false
}

export const checkCommand: Command = {
  name: 'check',
  summary: 'Checks the configuration and asks each service whether it answers.',
  synopsis: '[--schema]',
  options: {
    schema: {
      type: 'boolean',
      help: 'print the JSON schema of the configuration file, for editors, and check nothing',
    },
  },
  example: 'TESSERA_METRICS_URL=http://127.0.0.1:9090 tessera check',

  async run(args, io) {
    if (args.flag('schema')) {
      io.out(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
      return exitCodes.done
    }
    const { config, faults } = readConfig(io.env)
    if (faults !== undefined) {
      for (const fault of faults) io.err(`tessera check: ${fault}\n`)
      return exitCodes.usage
    }
    const services = await startServices(config)
    const quota = quotaFrom({ config }, createLogger({ level: 'silent' }))
    const findings = await Promise.all(
      serviceNames.map(async (service): Promise<Finding> => {
        const subgraph = localSubgraph(service, {
          config,
          serviceUrls: services.urls,
          publicUrl: () => '',
          observe: () => {},
          quota: quota.snapshot,
        })
        const request = createGatewayRequest({
          id: 'check',
          deadline: performance.now() + config.values.TESSERA_UPSTREAM_TIMEOUT_MS,
          header: () => undefined,
        })
        const started = performance.now()
        const { data, errors = [] } = await execute({
          schema: subgraph.schema,
          document: parse(probes[service]),
          contextValue: subgraph.createContext(request),
        })
        const milliseconds = performance.now() - started
        await subgraph.close()
        const [error] = errors
        const code = error?.extensions.code
        const reachable = !unreachable.has(code)
        return {
          service,
          place: services.sandboxed.includes(service) ? 'sandbox' : 'configured',
          reachable,
          accepted: reachable ? !unaccepted.has(code) : undefined,
          version: versionIn(data),
          milliseconds,
          problem: error?.message ?? '',
        }
      }),
    )
    await services.close()
    await quota.close()
    io.out(table(findings, io.colour))
    return findings.every(isGood) ? exitCodes.done : exitCodes.failed
  },
}
