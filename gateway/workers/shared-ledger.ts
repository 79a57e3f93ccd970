/**
 * One ledger of quota units for all workers: it is the primary's, and reserving is one step there, so that workers
 * cannot reserve the same units twice. Where the primary does not answer in time, the operation is refused, and what
 * may have been reserved for it is released.
 */
import { tesseraError } from '../../contract/errors.ts'
import {
  type Account,
  type Ledger,
  type LedgerState,
  type Reservation,
  type Spending,
  unknownOperation,
} from '../budget/quota/index.ts'
import type { Channel } from './channel.ts'

interface Reserve {
  readonly account: Account
  readonly id: string
  readonly units: number
  readonly limit: number | undefined
}

interface Settle {
  readonly account: Account
  readonly id: string
  readonly spent: Readonly<Record<string, Spending>>
}

/** How long a worker waits for the primary. */
const waitMs = 1000
/** How long it may be until the primary knows of what was spent without a reservation. */
const tellMs = 50
const mostUntold = 1000

/** The ledger as a worker sees it. */
export function createWorkerLedger(channel: Channel): Ledger {
  /** Spent without a reservation, and not reported to the primary yet: reported together, as nothing waits for it. */
  const untold = new Map<string, Settle>()
  let timer: NodeJS.Timeout | undefined
  const tellAll = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (const settle of untold.values()) channel.tell('ledger.settle', settle)
    untold.clear()
  }
  const collect = (account: Account, spent: Readonly<Record<string, Spending>>): void => {
    const key = `${account.day} ${account.credential}`
    const before = untold.get(key)?.spent ?? {}
    untold.set(key, { account, id: '', spent: sumOf(before, spent) })
    if (untold.size >= mostUntold) tellAll()
    else timer ??= setTimeout(tellAll, tellMs).unref()
  }
  const settle = (account: Account, id: string, spent: Readonly<Record<string, Spending>>): void => {
    if (id === '') collect(account, spent)
    else channel.tell('ledger.settle', { account, id, spent } satisfies Settle)
  }
  const busy = () =>
    tesseraError('SERVICE_BUSY', 'The count of quota units cannot be reached now.', { retryAfter: 1 })
  return {
    async reserve(account, id, units, limit) {
      const wanted: Reserve = { account, id, units, limit }
      try {
        return (await channel.ask('ledger.reserve', wanted, waitMs)) as Reservation
      } catch {
        settle(account, id, {})
        throw busy()
      }
    },
    settle,
    shut: (account) => channel.tell('ledger.shut', account),
    async read(account) {
      tellAll()
      try {
        return (await channel.ask('ledger.read', account, waitMs)) as LedgerState
      } catch {
        throw busy()
      }
    },
    async close() {
      tellAll()
    },
  }
}

function sumOf(
  a: Readonly<Record<string, Spending>>,
  b: Readonly<Record<string, Spending>>,
): Record<string, Spending> {
  const sum: Record<string, Spending> = { ...a }
  for (const [name, { units, calls }] of Object.entries(b)) {
    const before = sum[name] ?? { units: 0, calls: 0 }
    sum[name] = { units: before.units + units, calls: before.calls + calls }
  }
  return sum
}

/**
 * Lets a worker count in the primary's ledger. The answered function is to be called when the worker has ended: what
 * was reserved for it then counts as spent, since it is unknown which calls were made.
 */
export function serveLedger(channel: Channel, ledger: Ledger): () => void {
  const reserved = new Map<string, { readonly account: Account; readonly units: number }>()
  channel.onAsk('ledger.reserve', async (body) => {
    const { account, id, units, limit } = body as Reserve
    const reservation = await ledger.reserve(account, id, units, limit)
    if (reservation.granted) reserved.set(id, { account, units })
    return reservation
  })
  channel.onTell('ledger.settle', (body) => {
    const { account, id, spent } = body as Settle
    reserved.delete(id)
    void ledger.settle(account, id, spent)
  })
  channel.onTell('ledger.shut', (body) => void ledger.shut(body as Account))
  channel.onAsk('ledger.read', (body) => ledger.read(body as Account))
  return () => {
    for (const [id, { account, units }] of reserved)
      void ledger.settle(account, id, { [unknownOperation]: { units, calls: 0 } })
    reserved.clear()
  }
}
