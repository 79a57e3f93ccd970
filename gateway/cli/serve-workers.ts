/** `tessera serve` with several workers: the part that runs once, in their primary. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Primary } from '../cluster/index.ts'
import { type Config, isAllSandbox } from '../config/index.ts'
import { createLogger } from '../telemetry/log.ts'
import { exitCodes, type Io, logDestination } from './command.ts'
import { readSandboxKey } from './sandbox-token.ts'
import { calledHere, startServices } from './services.ts'

export function workersOf(config: Config): number {
  const { workers } = config.server
  return workers === 'auto' ? availableParallelism() : workers
}

/** Added to the time that a worker itself may take. */
const marginMs = 2000

export async function serveWithWorkers({
  count,
  config,
  sandbox,
  io,
}: {
  readonly count: number
  readonly config: Config
  /** The address of a sandbox that already runs. */
  readonly sandbox: string | undefined
  readonly io: Io
}): Promise<number> {
  const { refused, apart } = sharedFeaturesOf(config)
  if (refused.length > 0) {
    io.err('tessera serve: several workers share these features only through Redis:\n')
    for (const one of refused) io.err(`  ${one}\n`)
    return exitCodes.usage
  }
  const log = createLogger({ level: config.log.level, destination: logDestination(io), worker: 0 })
  if (apart.length > 0) log.warn(`without TESSERA_REDIS_URL each worker has its own: ${apart.join(', ')}`)
  // Workers that start later read what there is then.
  let primary: Primary | undefined
  io.onHangUp(() => void primary?.reload())
  const services =
    config.supergraph.places === undefined
      ? await startServices(config, calledHere(config), sandbox)
      : undefined
  primary = new Primary({
    workers: count,
    welcome: {
      sandbox: services?.sandboxUrl,
      sandboxKey: isAllSandbox(config) ? await readSandboxKey() : undefined,
      uploadSecret: randomBytes(32).toString('base64url'),
    },
    log,
    stopMs: config.shutdown.delayMs + config.shutdown.graceMs + marginMs,
    onServing({ lines }) {
      for (const line of lines) io.out(`${line}\n`)
      io.out(`workers   ${count}\n`)
    },
  })
  const why = await Promise.race([io.stopped().then(() => undefined), primary.failed])
  if (why !== undefined) io.err(`tessera serve: ${why}\n`)
  await primary.stop()
  await services?.close()
  return why === undefined ? exitCodes.done : exitCodes.failed
}

/**
 * Workers share state through Redis. These are the configured features that lack it: `refused` would be wrong in separate
 * workers, and `apart` works in each, but separately.
 */
export function sharedFeaturesOf(config: Config) {
  if (config.redis.url !== undefined) return { refused: [], apart: [] }
  const cure = 'Set TESSERA_REDIS_URL, or run one worker'
  const refused: string[] = []
  if (config.quota.daily !== undefined)
    refused.push(
      `TESSERA_QUOTA_DAILY: each worker would spend the budget of a day. ${cure}, or remove the budget.`,
    )
  if (config.rateLimits.length > 0) {
    const names = config.rateLimits.map(({ name }) => name).join(', ')
    refused.push(`rateLimits (${names}): each worker would allow the whole rate. ${cure}, or leave them out.`)
  }
  const apart = ['idempotency keys (mutations with one are refused)', 'polls of subscriptions']
  if (config.persisted.mode === 'automatic') apart.push('automatic persisted queries')
  apart.push('the count of mediaQuota')
  return { refused, apart }
}
