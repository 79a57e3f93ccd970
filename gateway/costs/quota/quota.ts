/**
 * Budgets in the units that a service sells: what one operation may cost, and what a credential may spend in a day. An
 * operation's estimate is reserved before it runs and replaced afterwards by the spent units, so that operations at the
 * same moment never exceed the budget together.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import type { QuotaState } from '../../../shared/quota.ts'
import type { Allowance, CallRecord, SubgraphRequest } from '../../../shared/request.ts'
import { type Day, dayOf } from '../../../shared/runtime/day.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { unitsBucket } from '../../../shared/service-calls.ts'
import type { UpstreamEvent } from '../../../shared/upstream.ts'
import { type Account, keptCredentials, type Ledger, type Reservation, type Spending } from './ledger.ts'

/** The header by which a caller bounds the units of one operation. */
export const maxUnitsHeader = 'tessera-max-units'

export interface QuotaOptions {
  /** The service whose units are counted. */
  readonly service: string
  readonly ledger: Ledger
  readonly perOperation: number | undefined
  readonly daily: number | undefined
  readonly timeZone: string
  /** Whether responses may come from the cache, and so cost nothing. */
  readonly cached: boolean
  /** The credential of the service that a request uses. */
  readonly credentialKey: (request: SubgraphRequest) => string
  readonly now?: (() => number) | undefined
}

/** The reservation of an operation that may run. */
export interface Admission {
  /**
   * Releases the reservation and records the spent units, whatever the outcome. It is called again for calls that are
   * reported later, such as those that others have shared.
   */
  settle(calls: readonly CallRecord[]): Promise<void>
}

/** A request whose budget is used up: the quota marks it, and the upstream client and the loaders read the mark. */
export interface QuotaRequest extends SubgraphRequest {
  cacheOnly: boolean
  allowance: Allowance | undefined
}

export interface Quota {
  /** Whether a budget is configured; without one, operations need not be estimated. */
  readonly bounded: boolean
  /** Refuses the operation before any call, or reserves its units. `reads` says that the cache may answer it. */
  admit(request: QuotaRequest, units: number, reads: boolean): Promise<Admission | GraphQLError>
  /** Records the units of an operation without a reservation; synchronous with a ledger in memory. */
  record(request: SubgraphRequest, calls: readonly CallRecord[]): Promise<void> | undefined
  /** Admits and records single calls: for a subgraph service behind a gateway that does not estimate. */
  readonly calls: {
    /**
     * The reservation, which must be settled; undefined if the call costs nothing. Synchronous with a ledger in memory;
     * throws, or rejects, if the units are not left.
     */
    admit(units: number, request: SubgraphRequest): string | Promise<string> | undefined
    settle(event: UpstreamEvent): void
  }
  /**
   * Called before each call that costs units, and before each retry: throws, or rejects, if the budget or the service's
   * own quota is used up. Synchronous with a ledger in memory.
   */
  allow(units: number, request: SubgraphRequest): Promise<void> | undefined
  /** The extensions of a call's error, if the service reported that nothing is left. */
  explain(
    reason: string | undefined,
    units: number,
    request: SubgraphRequest,
  ): { readonly retryAfter: number; readonly extensions: Readonly<Record<string, unknown>> } | undefined
  /** Called after every call: the service's report that nothing is left closes the account until the day ends. */
  observe(event: UpstreamEvent): void
  snapshot(credentialKey: string): Promise<QuotaState>
  snapshotOf(request: SubgraphRequest): Promise<QuotaState>
  close(): Promise<void>
}

const longestDayMs = 26 * 3_600_000

/** The service's error reasons for a used-up quota. */
const spentReasons: ReadonlySet<unknown> = new Set(['quotaExceeded', 'dailyLimitExceeded'])

export function createQuota(options: QuotaOptions): Quota {
  const { service, ledger, perOperation, daily, timeZone, cached, credentialKey } = options
  // Gateways whose clocks differ must agree on the day.
  const now = options.now ?? ((): number => ledger.now?.() ?? Date.now())
  let today: Day = dayOf(now(), timeZone)
  let counter = 0
  const prefix = Math.random().toString(36).slice(2)
  /** Credentials for which the service reported that nothing is left, and until when. */
  const closedUntil = createGrowingCache<number>(keptCredentials)

  const accountOf = (credential: string): Account => {
    const time = now()
    // A clock may also be set back.
    if (time >= today.endsAt || time < today.endsAt - longestDayMs) today = dayOf(time, timeZone)
    return { credential, day: today.name, endsAt: today.endsAt }
  }
  const nextId = (): string => {
    counter += 1
    return `${prefix}-${counter.toString(36)}`
  }
  const leftOf = ({ used, reserved, closed }: Omit<Reservation, 'granted'>): number | null => {
    if (closed) return 0
    return daily === undefined ? null : Math.max(0, daily - used - reserved)
  }

  function numbersOf(
    account: Account,
    numbers: {
      readonly estimated: number
      readonly maximum: number | null
      readonly remaining: number | null
    },
  ) {
    return {
      retryAfter: Math.ceil((account.endsAt - now()) / 1000),
      extensions: { quota: { ...numbers, resetsAt: new Date(account.endsAt).toISOString() } },
    }
  }

  /** The refusal of an operation or a call, always with the same numbers. */
  function exceeded(
    account: Account,
    message: string,
    numbers: Parameters<typeof numbersOf>[1],
  ): GraphQLError {
    return tesseraError('QUOTA_EXCEEDED', message, { service, ...numbersOf(account, numbers) })
  }

  const exceededByCall = (account: Account, units: number, reservation: Reservation): GraphQLError => {
    const remaining = leftOf(reservation)
    return exceeded(account, `The call costs ${units} units; ${remaining} are left today.`, {
      estimated: units,
      maximum: perOperation ?? null,
      remaining,
    })
  }

  /**
   * What is left of an operation's reservation. Retries, and calls that find out what became of an earlier attempt, may
   * exceed the estimate: their units are reserved separately, under ids of their own.
   */
  function allowanceOf(account: Account, reserved: number): Allowance & { release(): readonly string[] } {
    let ids: string[] = []
    let left = reserved
    return {
      release() {
        const own = ids
        ids = []
        left = 0
        return own
      },
      take(units) {
        left -= units
        if (left >= 0) return undefined
        const missing = Math.min(units, -left)
        const id = nextId()
        const took = (reservation: Reservation): void => {
          left += missing
          if (reservation.granted) {
            ids.push(id)
            return
          }
          left += units - missing
          throw exceededByCall(account, units, reservation)
        }
        const answer = ledger.reserve(account, id, missing, daily)
        if (answer instanceof Promise) return answer.then(took)
        took(answer)
        return undefined
      },
    }
  }

  function maximumFor(request: SubgraphRequest): number | undefined | GraphQLError {
    const text = request.header(maxUnitsHeader)
    if (text === undefined) return perOperation
    if (!/^\d{1,12}$/.test(text)) {
      return tesseraError(
        'BAD_REQUEST',
        `The header ${maxUnitsHeader} must be a whole number of units, 0 or more.`,
      )
    }
    return Math.min(Number(text), perOperation ?? Number.POSITIVE_INFINITY)
  }

  function spentIn(calls: readonly CallRecord[]): Record<string, Spending> {
    const spent: Record<string, Spending> = {}
    for (const { service: of, operation, units, outcome } of calls) {
      if (of !== service || (outcome !== 'sent' && outcome !== 'revalidated' && outcome !== 'failed'))
        continue
      if (units === 0 && outcome === 'failed') continue
      const before = spent[operation] ?? { units: 0, calls: 0 }
      spent[operation] = { units: before.units + units, calls: before.calls + 1 }
    }
    return spent
  }

  return {
    bounded: perOperation !== undefined || daily !== undefined,

    async admit(request, units, reads) {
      const given = maximumFor(request)
      if (typeof given === 'object') return given
      const maximum = given ?? null
      const account = accountOf(credentialKey(request))
      if (given !== undefined && units > given) {
        const resetsAt = new Date(account.endsAt).toISOString()
        const remaining = leftOf(await ledger.read(account))
        return tesseraError(
          'COST_ESTIMATED_TOO_EXPENSIVE',
          `The operation would cost up to ${units} units; one operation may cost ${given}.`,
          { service, extensions: { quota: { estimated: units, maximum, remaining, resetsAt } } },
        )
      }
      const id = nextId()
      const reservation = await ledger.reserve(account, id, units, daily)
      if (!reservation.granted) {
        const remaining = leftOf(reservation)
        if (!(reads && cached)) {
          const message = reservation.closed
            ? 'The service has nothing left for today.'
            : `The operation would cost up to ${units} units; ${remaining} are left today.`
          return exceeded(account, message, { estimated: units, maximum, remaining })
        }
        request.cacheOnly = true
      }
      const allowance = reservation.granted && daily !== undefined ? allowanceOf(account, units) : undefined
      request.allowance = allowance
      const own = [id]
      return {
        async settle(calls) {
          const [first = '', ...others] = [...own.splice(0), ...(allowance?.release() ?? [])]
          await ledger.settle(account, first, spentIn(calls))
          for (const other of others) await ledger.settle(account, other, {})
        },
      }
    },

    record(request, calls) {
      const spent = spentIn(calls)
      if (Object.keys(spent).length === 0) return undefined
      return ledger.settle(accountOf(credentialKey(request)), '', spent) ?? undefined
    },

    calls: {
      admit(units, request) {
        if (units === 0) return undefined
        const account = accountOf(credentialKey(request))
        const id = nextId()
        const take = (reservation: Reservation): string => {
          if (!reservation.granted) throw exceededByCall(account, units, reservation)
          return id
        }
        const reserved = ledger.reserve(account, id, units, daily)
        return reserved instanceof Promise ? reserved.then(take) : take(reserved)
      },
      settle({ credentialKey: credential, operation, units, attempts, reservations }) {
        const [id = '', ...others] = reservations
        const spent = attempts === 0 ? {} : { [operation]: { units, calls: attempts } }
        const account = accountOf(credential)
        inBackground(ledger.settle(account, id, spent))
        for (const other of others) inBackground(ledger.settle(account, other, {}))
      },
    },

    allow(units, request) {
      if (units === 0) return undefined
      if (request.cacheOnly === true) {
        const account = accountOf(credentialKey(request))
        throw exceeded(account, "The day's units are used up; only what is cached is answered.", {
          estimated: units,
          maximum: perOperation ?? null,
          remaining: 0,
        })
      }
      if (closedUntil.size > 0) {
        const credential = credentialKey(request)
        const endsAt = closedUntil.get(credential)
        if (endsAt !== undefined && now() < endsAt)
          throw exceeded(accountOf(credential), 'The service has nothing left for today.', {
            estimated: units,
            maximum: perOperation ?? null,
            remaining: 0,
          })
        if (endsAt !== undefined) closedUntil.delete(credential)
      }
      return request.allowance?.take(units)
    },

    explain(reason, units, request) {
      if (!spentReasons.has(reason)) return undefined
      const account = accountOf(credentialKey(request))
      return numbersOf(account, { estimated: units, maximum: perOperation ?? null, remaining: 0 })
    },

    observe({ service: of, reason, call, credentialKey: credential }) {
      if (of !== service || !spentReasons.has(reason)) return
      // An allowance that the service counts separately does not close the units.
      if (call?.bucket !== undefined && call.bucket !== unitsBucket) return
      const account = accountOf(credential)
      closedUntil.set(credential, account.endsAt)
      inBackground(ledger.shut(account))
    },

    snapshotOf: (request) => snapshot(credentialKey(request)),
    snapshot,

    close: () => ledger.close(),
  }

  async function snapshot(credential: string): Promise<QuotaState> {
    const account = accountOf(credential)
    const state = await ledger.read(account)
    return {
      limit: daily ?? null,
      used: state.used,
      remaining: leftOf(state),
      resetsAt: new Date(account.endsAt).toISOString(),
      operations: Object.entries(state.operations).map(([name, spent]) => ({ name, ...spent })),
    }
  }
}

/** Nothing waits for this step of the ledger; the ledger itself logs if it fails. */
function inBackground(done: Promise<void> | void): void {
  if (done instanceof Promise) done.catch(() => {})
}
