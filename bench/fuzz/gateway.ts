/**
 * A gateway over the graph for targets. Every caller has all rights, and a fault of one request does not affect
 * others.
 */
import { readConfig } from '../../gateway/config/index.ts'
import { createLogger, type Gateway, startGateway } from '../../gateway/index.ts'
import { forEachService } from '../../subgraphs/index.ts'
import { Broken } from './target.ts'
import { isTyped } from './typed.ts'

export interface FuzzedGateway {
  readonly gateway: Gateway
  /** Throws if the gateway has logged an error since the last call, because no expected error is logged. */
  checkLog(): void
  close(): Promise<void>
}

const scopes = new Set(
  'media.read media.owner media.upload media.write agents.read agents.write agents.detect tweet.read users.read like.read like.write metrics.read rules.read'.split(
    ' ',
  ),
)
const caller = { subject: 'demo', scopes, claims: { sub: 'demo' }, authenticated: true }
const never = Number.POSITIVE_INFINITY
/** One response is one input, so nothing is repeated, cached, or skipped because of earlier responses. */
const tuning = {
  retries: 0,
  breaker: { consecutive: never, minimumRps: never },
  timeoutMs: 5000,
}

export async function startFuzzedGateway(
  servicesUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<FuzzedGateway> {
  const { config, faults } = readConfig({
    ...{
      PORT: '0',
      TESSERA_MAX_WAIT_MS: '0',
      TESSERA_MAX_VALUES: '1000000000',
      TESSERA_MAX_FIELDS: '10000000',
    },
    ...{ TESSERA_MAX_TOKENS: '1000000', TESSERA_MAX_CALLS: '1000000', TESSERA_EXPLORER: 'off', ...env },
  })
  if (config === undefined) throw new Error(faults.join('\n'))
  const logged: string[] = []
  const gateway = await startGateway({
    config,
    serviceUrls: forEachService(() => servicesUrl),
    authenticator: { authenticate: () => caller, close: () => Promise.resolve() },
    tuning: forEachService(() => tuning),
    log: createLogger({ level: 'error', destination: { write: (line: string) => void logged.push(line) } }),
  })
  return {
    gateway,
    checkLog() {
      const [line] = logged.splice(0)
      if (line === undefined) return
      const { err, msg } = JSON.parse(line) as { err?: { message?: string; stack?: string }; msg?: string }
      const fault = new Broken(`logged: ${msg}, ${err?.message}`)
      if (err?.stack !== undefined) fault.stack = err.stack
      throw fault
    },
    close: () => gateway.stop(),
  }
}

/** Throws unless this is the JSON of a GraphQL response with expected errors. */
export function checkResponse(text: string): void {
  const { data, errors } = JSON.parse(text) as { data?: unknown; errors?: readonly unknown[] }
  if (data === undefined && (errors === undefined || errors.length === 0))
    throw new Broken('neither data nor errors', text)
  for (const error of errors ?? []) if (!isTyped(error)) throw new Broken('an error that is not meant', error)
}
