/** Ledgers in Redis for tests, which note what they log. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Account,
  createLedger,
  type Ledger,
  type Spending,
} from '../../../../../gateway/costs/quota/index.ts'
import { createRedisStores } from '../../../../../gateway/stores/index.ts'
import type { Logger } from '../../../../../gateway/telemetry/log.ts'
import type { RedisServer } from '../../../../support/redis.ts'
import type { TcpProxy } from '../../../../support/tcp-proxy.ts'

let accounts = 0
/** One that no other test uses, of a day that ends at `endsAt`. */
export function freshAccount(): Account {
  accounts += 1
  return { credential: `c${accounts}`, day: '2026-01-01', endsAt: Date.now() + 3_600_000 }
}

export const spent = (units: number, calls = 1, operation = 'videos.list'): Record<string, Spending> => ({
  [operation]: { units, calls },
})

export const unspent = { used: 0, reserved: 0, closed: false, operations: {} }

export interface Opened extends Ledger, AsyncDisposable {
  /** What was logged: warnings, and what is said when it is over. */
  readonly lines: string[]
}

type LedgerTuning = Partial<Parameters<typeof createLedger>[1]> & { readonly replicas?: number }

export function begin(port: number, options: LedgerTuning = {}): Opened {
  const lines: string[] = []
  /** The message comes last, behind the cause. */
  const note = (...said: unknown[]): void => void lines.push(String(said.at(-1)))
  const log = options.log ?? ({ info: note, warn: note } as unknown as Logger)
  const url = `redis://127.0.0.1:${port}`
  const ledger = createLedger(createRedisStores({ url, log, replicas: options.replicas ?? 0 }), {
    ...{ away: 'share', ...options, log },
  })
  return Object.assign(ledger, { lines, [Symbol.asyncDispose]: () => ledger.close() })
}

/** One that has heard of Redis. */
export async function open(...given: Parameters<typeof begin>): Promise<Opened> {
  const ledger = begin(...given)
  while (ledger.now?.() === undefined) await wait(5)
  return ledger
}

export const awayLine = 'the shared quota ledger is unreachable: counting in this process until it is back'
export const backLine = 'the shared quota ledger is back'

const lastSaid = ({ lines }: Opened): string | undefined =>
  lines.findLast((line) => line === awayLine || line === backLine)

/** From now on Redis is away for those that reach it through the proxy, and they know. */
export async function away(proxy: TcpProxy, ...ledgers: readonly Opened[]): Promise<void> {
  proxy.become({ kind: 'cut' })
  for (const ledger of ledgers)
    while (lastSaid(ledger) !== awayLine) {
      await ledger.read(freshAccount())
      // A read that is refused immediately would keep the sockets from being looked at.
      await wait(1)
    }
}

/** Redis can be reached again, and the ledgers have said so. What it refuses then may have them say that it is away. */
export async function back(proxy: TcpProxy, ...ledgers: readonly Opened[]): Promise<void> {
  const said = ledgers.map(({ lines }) => lines.length)
  proxy.become({ kind: 'sound' })
  for (const [at, { lines }] of ledgers.entries())
    while (!lines.slice(said[at]).includes(backLine)) await wait(5)
}

/** How many scripts Redis has not run to their end. */
export const refusedSteps = async (server: RedisServer): Promise<number> =>
  Number(/cmdstat_eval:.*failed_calls=(\d+)/.exec(await server.command('INFO', 'commandstats'))?.[1] ?? 0)
