/**
 * Budgets in the units that a service sells: what one operation may cost, and what a credential may spend in a day. An
 * operation's estimate is reserved before it runs and replaced afterwards by the spent units, so that operations at the
 * same moment never exceed the budget together.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import type { QuotaState } from '../../../shared/quota.ts'
import type { Allowance, CallRecord, SubgraphRequest } from '../../../shared/request.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import { type Day, dayOf } from '../../../shared/runtime/day.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import { unitsBucket } from '../../../shared/service-calls.ts'
import type { UpstreamEvent } from '../../../shared/upstream.ts'
import { type Account, keptCredentials, type Ledger, type Reservation, type Spending } from './ledger.ts'

/** The header by which a caller bounds the units of one operation. */
export const maxUnitsHeader = 'tessera-max-units'

export interface QuotaOptions {
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

/** The service's error reasons for a used-up quota. */
const spentReasons: ReadonlySet<unknown> = new Set(['quotaExceeded', 'dailyLimitExceeded'])

export class Quota {
  readonly #options: QuotaOptions
  readonly #ledger: Ledger
  // Gateways whose clocks differ must agree on the day.
  readonly #now
  /** Read when it is first needed, because the first time zone of a process takes time and memory. */
  #today: Day = { name: '', endsAt: 0 }
  /** The earliest time that is known to be within it. */
  #todayFrom = 0
  #counter = 0
  readonly #prefix = Math.random().toString(36).slice(2)
  /** Credentials for which the service reported that nothing is left, and on which day. */
  readonly #closedOn = createGrowingCache<string>(keptCredentials)
  /** Whether a budget is configured; without one, operations need not be estimated. */
  readonly bounded: boolean
  /** A call that ends after midnight belongs to the day that it was admitted on. */
  readonly #admitted = new Map<string, Account>()
  /** Admits and records single calls: for a subgraph service behind a gateway that does not estimate. */
  readonly calls = {
    /**
     * The reservation, which is to be settled; undefined if the call costs nothing. Synchronous with a ledger in
     * memory; throws, or rejects, if the units are not left.
     */
    admit: (units: number, request: SubgraphRequest): string | Promise<string> | undefined => {
      if (units === 0) return undefined
      const account = this.#accountFor(request)
      const id = this.#nextId()
      return whenReady(this.#ledger.reserve(account, id, units, this.#options.daily), (reservation) => {
        if (!reservation.granted) throw this.#exceededByCall(account, units, reservation)
        this.#admitted.set(id, account)
        return id
      })
    },
    settle: ({ credentialKey, operation, units, attempts, reservations }: UpstreamEvent): void => {
      const [id = '', ...others] = reservations
      const spent = attempts === 0 ? {} : { [operation]: { units, calls: attempts } }
      const settle = (reservation: string, by: Readonly<Record<string, Spending>>): void => {
        const account = this.#admitted.get(reservation) ?? this.#accountOf(credentialKey)
        this.#admitted.delete(reservation)
        inBackground(this.#ledger.settle(account, reservation, by))
      }
      settle(id, spent)
      for (const other of others) settle(other, {})
    },
  }

  constructor(options: QuotaOptions) {
    this.#options = options
    this.#ledger = options.ledger
    this.#now = options.now ?? ((): number => this.#ledger.now?.() ?? Date.now())
    this.bounded = options.perOperation !== undefined || options.daily !== undefined
  }

  /** Refuses the operation before any call, or reserves its units. `reads` says that the cache may answer it. */
  async admit(request: QuotaRequest, units: number, reads: boolean): Promise<Admission | GraphQLError> {
    const { service, daily, cached } = this.#options
    const given = this.#maximumFor(request)
    if (typeof given === 'object') return given
    const maximum = given ?? null
    const account = this.#accountFor(request)
    if (given !== undefined && units > given) {
      const resetsAt = new Date(account.endsAt).toISOString()
      const remaining = this.#leftOf(await this.#ledger.read(account))
      return tesseraError(
        'COST_ESTIMATED_TOO_EXPENSIVE',
        `The operation would cost up to ${counted(units, 'unit')}; one operation may cost ${given}.`,
        { service, extensions: { quota: { estimated: units, maximum, remaining, resetsAt } } },
      )
    }
    const id = this.#nextId()
    const reservation = await this.#ledger.reserve(account, id, units, daily)
    if (!reservation.granted) {
      const remaining = this.#leftOf(reservation)
      if (!(reads && cached)) {
        const message = reservation.closed
          ? 'The service has nothing left for today.'
          : `The operation would cost up to ${counted(units, 'unit')}; ${leftToday(remaining)}.`
        return this.#exceeded(account, message, units, remaining, maximum)
      }
      request.cacheOnly = true
    }
    const allowance =
      reservation.granted && daily !== undefined ? this.#allowanceOf(account, units) : undefined
    request.allowance = allowance
    const own = [id]
    return {
      settle: async (calls) => {
        const [first = '', ...others] = [...own.splice(0), ...(allowance?.release() ?? [])]
        await this.#ledger.settle(account, first, this.#spentIn(calls))
        for (const other of others) await this.#ledger.settle(account, other, {})
      },
    }
  }

  /** Records the units of an operation without a reservation; synchronous with a ledger in memory. */
  record(request: SubgraphRequest, calls: readonly CallRecord[]): Promise<void> | undefined {
    const spent = this.#spentIn(calls)
    if (Object.keys(spent).length === 0) return undefined
    return this.#ledger.settle(this.#accountFor(request), '', spent) ?? undefined
  }

  /**
   * Called before each call that costs units, and before each retry: throws, or rejects, if the budget or the service's
   * own quota is used up. Synchronous with a ledger in memory.
   */
  allow(units: number, request: SubgraphRequest): Promise<void> | undefined {
    if (units === 0) return undefined
    if (request.cacheOnly === true) {
      const account = this.#accountFor(request)
      const message = "The day's units are used up; only cached responses are available."
      throw this.#exceeded(account, message, units, 0)
    }
    if (this.#closedOn.size > 0) {
      const account = this.#accountFor(request)
      const day = this.#closedOn.get(account.credential)
      if (day === account.day)
        throw this.#exceeded(account, 'The service has nothing left for today.', units, 0)
      if (day !== undefined) this.#closedOn.delete(account.credential)
    }
    return request.allowance?.take(units)
  }

  /** The extensions of a call's error, if the service reported that nothing is left. */
  explain(
    reason: string | undefined,
    units: number,
    request: SubgraphRequest,
  ): { readonly retryAfter: number; readonly extensions: Readonly<Record<string, unknown>> } | undefined {
    if (!spentReasons.has(reason)) return undefined
    return this.#numbersOf(this.#accountFor(request), units, 0)
  }

  /** Called after every call: the service's report that nothing is left closes the account until the day ends. */
  observe({ service: of, reason, call, credentialKey: credential }: UpstreamEvent): void {
    if (of !== this.#options.service || !spentReasons.has(reason)) return
    // An allowance that the service counts separately does not close the units.
    if (call?.bucket !== undefined && call.bucket !== unitsBucket) return
    const account = this.#accountOf(credential)
    this.#closedOn.set(credential, account.day)
    inBackground(this.#ledger.shut(account))
  }

  snapshotOf(request: SubgraphRequest): Promise<QuotaState> {
    return this.snapshot(this.#options.credentialKey(request))
  }

  close(): Promise<void> {
    return this.#ledger.close()
  }

  readonly snapshot = async (credential: string): Promise<QuotaState> => {
    const account = this.#accountOf(credential)
    const state = await this.#ledger.read(account)
    return {
      limit: this.#options.daily ?? null,
      used: state.used,
      remaining: this.#leftOf(state),
      resetsAt: new Date(account.endsAt).toISOString(),
      operations: Object.entries(state.operations).map(([name, spent]) => ({ name, ...spent })),
    }
  }

  #accountFor(request: SubgraphRequest): Account {
    return this.#accountOf(this.#options.credentialKey(request))
  }

  #accountOf(credential: string): Account {
    const time = this.#now()
    // A clock may also be set back, and that of Redis may be behind that of this process.
    if (time >= this.#today.endsAt || time < this.#todayFrom) {
      this.#today = dayOf(time, this.#options.timeZone)
      this.#todayFrom = time
    }
    return { credential, day: this.#today.name, endsAt: this.#today.endsAt }
  }

  #nextId(): string {
    this.#counter += 1
    return `${this.#prefix}-${this.#counter.toString(36)}`
  }

  #leftOf({ used, reserved, closed }: Omit<Reservation, 'granted'>): number | null {
    const { daily } = this.#options
    if (closed) return 0
    return daily === undefined ? null : Math.max(0, daily - used - reserved)
  }

  #numbersOf(
    { endsAt }: Account,
    estimated: number,
    remaining: number | null,
    maximum: number | null = this.#options.perOperation ?? null,
  ) {
    const resetsAt = new Date(endsAt).toISOString()
    return {
      retryAfter: Math.ceil((endsAt - this.#now()) / 1000),
      extensions: { quota: { estimated, maximum, remaining, resetsAt } },
    }
  }

  /** The refusal of an operation or a call, always with the same numbers. */
  #exceeded(
    account: Account,
    message: string,
    ...numbers: [estimated: number, remaining: number | null, maximum?: number | null]
  ): GraphQLError {
    const { service } = this.#options
    return tesseraError('QUOTA_EXCEEDED', message, { service, ...this.#numbersOf(account, ...numbers) })
  }

  #exceededByCall(account: Account, units: number, reservation: Reservation): GraphQLError {
    const remaining = this.#leftOf(reservation)
    const message = `The call costs ${counted(units, 'unit')}; ${leftToday(remaining)}.`
    return this.#exceeded(account, message, units, remaining)
  }

  /**
   * What is left of an operation's reservation. Retries, and calls that find out what became of an earlier attempt, may
   * exceed the estimate: their units are reserved separately, under ids of their own.
   */
  #allowanceOf(account: Account, reserved: number): Allowance & { release(): readonly string[] } {
    let ids: string[] = []
    let left = reserved
    return {
      release() {
        const own = ids
        ids = []
        left = 0
        return own
      },
      covers: (units) => units <= left,
      take: (units) => {
        left -= units
        if (left >= 0) return undefined
        const missing = Math.min(units, -left)
        const id = this.#nextId()
        const took = (reservation: Reservation): void => {
          left += missing
          if (reservation.granted) {
            ids.push(id)
            return
          }
          left += units - missing
          throw this.#exceededByCall(account, units, reservation)
        }
        const answer = this.#ledger.reserve(account, id, missing, this.#options.daily)
        if (answer instanceof Promise) return answer.then(took)
        took(answer)
        return undefined
      },
    }
  }

  #maximumFor(request: SubgraphRequest): number | undefined | GraphQLError {
    const { perOperation } = this.#options
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

  #spentIn(calls: readonly CallRecord[]): Record<string, Spending> {
    const spent: Record<string, Spending> = {}
    for (const { service: of, operation, units, outcome } of calls) {
      if (
        of !== this.#options.service ||
        (outcome !== 'sent' && outcome !== 'revalidated' && outcome !== 'failed')
      )
        continue
      if (units === 0 && outcome === 'failed') continue
      const before = spent[operation] ?? { units: 0, calls: 0 }
      spent[operation] = { units: before.units + units, calls: before.calls + 1 }
    }
    return spent
  }
}

/** Nothing waits for this step of the ledger; the ledger itself logs if it fails. */
function inBackground(done: Promise<void> | void): void {
  if (done instanceof Promise) done.catch(() => {})
}

const leftToday = (units: number | null): string => `${units} ${units === 1 ? 'is' : 'are'} left today`
