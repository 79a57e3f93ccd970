/**
 * Budgets: what an operation may cost, and what a credential may spend in a day. An operation is priced and
 * its units are promised before it runs; afterwards what was really spent is booked. Nothing runs that the
 * budget does not hold, however many ask at the same moment.
 */
import type { GraphQLError } from 'graphql'
import { dayOf } from '../subgraphs/lib/day.ts'
import { tesseraError } from '../subgraphs/lib/errors.ts'
import type { CallRecord, SubgraphRequest } from '../subgraphs/lib/request.ts'
import type { UpstreamEvent } from '../subgraphs/lib/upstream.ts'
import type { Account, Ledger, Reservation, Spending } from './quota/ledger.ts'

/** The most units of one operation, as the caller itself bounds it. */
export const maxUnitsHeader = 'tessera-max-units'

export interface QuotaOptions {
  /** The service whose units are counted. */
  readonly service: string
  readonly ledger: Ledger
  readonly perOperation: number | undefined
  readonly daily: number | undefined
  readonly timeZone: string
  /** Whether answers may come from the cache, and so cost nothing. */
  readonly cached: boolean
  /** Which credential of the service a request uses. */
  readonly credentialKey: (request: SubgraphRequest) => string
  readonly now?: (() => number) | undefined
}

export interface QuotaSnapshot {
  readonly limit: number | null
  readonly used: number
  readonly remaining: number | null
  readonly resetsAt: string
  readonly operations: { readonly name: string; readonly units: number; readonly calls: number }[]
}

/** What an operation was let in with. */
export interface Admission {
  /** Books what was spent; call it once, whatever came of the operation. */
  settle(calls: readonly CallRecord[]): Promise<void>
}

export interface Quota {
  /** Whether anything is bounded: without, operations need not be priced. */
  readonly bounded: boolean
  /** Refuses before any call, or promises the units. `reads` tells whether the cache may answer. */
  admit(request: SubgraphRequest, units: number, reads: boolean): Promise<Admission | GraphQLError>
  /** Books what an operation spent that was let run without being asked for; at once where the ledger is at hand. */
  book(request: SubgraphRequest, calls: readonly CallRecord[]): Promise<void> | undefined
  /** Admits and books single calls: for a subgraph that is served by itself, where nobody prices operations. */
  readonly calls: {
    /** At once where the ledger is at hand; throws, or rejects, where the units are not left. */
    admit(units: number, request: SubgraphRequest): Promise<void> | undefined
    settle(event: UpstreamEvent): void
  }
  /** Asked by the service's client before each call that costs units: a budget that is gone lets none through. */
  allow(units: number, request: SubgraphRequest): void
  /** Told of every call: the service's own word that nothing is left shuts the account. */
  observe(event: UpstreamEvent): void
  snapshot(credentialKey: string): Promise<QuotaSnapshot>
  snapshotOf(request: SubgraphRequest): Promise<QuotaSnapshot>
  close(): Promise<void>
}

/** The service's reasons for having nothing left today. */
const spentReasons: ReadonlySet<unknown> = new Set(['quotaExceeded', 'dailyLimitExceeded'])

export function createQuota(options: QuotaOptions): Quota {
  const { service, ledger, perOperation, daily, timeZone, cached, credentialKey, now = Date.now } = options
  let today = dayOf(now(), timeZone)
  let counter = 0
  const prefix = Math.random().toString(36).slice(2)
  /** Requests that may use the cache and nothing else: the budget is gone. */
  const cacheOnly = new WeakSet<SubgraphRequest>()

  const accountOf = (credential: string): Account => {
    if (now() >= today.endsAt) today = dayOf(now(), timeZone)
    return { credential, day: today.name, endsAt: today.endsAt }
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
  const nextId = (): string => {
    counter += 1
    return `${prefix}-${counter.toString(36)}`
  }
  const isNothing = (spent: Readonly<Record<string, Spending>>): boolean => Object.keys(spent).length === 0
  /** Promises of single calls, by the request that they are made for. */
  const promised = new WeakMap<SubgraphRequest, string[]>()

  return {
    bounded: perOperation !== undefined || daily !== undefined,

    async admit(request, units, reads) {
      const maximum = maximumFor(request)
      if (typeof maximum === 'object') return maximum
      const account = accountOf(credentialKey(request))
      const resetsAt = new Date(account.endsAt).toISOString()
      if (maximum !== undefined && units > maximum) {
        const { used } = await ledger.read(account)
        return tesseraError(
          'COST_ESTIMATED_TOO_EXPENSIVE',
          `The operation would cost up to ${units} units; one operation may cost ${maximum}.`,
          {
            service,
            extensions: {
              quota: {
                estimated: units,
                maximum,
                remaining: daily === undefined ? null : Math.max(0, daily - used),
                resetsAt,
              },
            },
          },
        )
      }
      const id = nextId()
      const { granted, used, reserved, closed } = await ledger.reserve(account, id, units, daily)
      if (!granted) {
        const remaining = closed ? 0 : Math.max(0, (daily ?? 0) - used - reserved)
        if (!(reads && cached)) {
          return tesseraError(
            'QUOTA_EXCEEDED',
            closed
              ? 'The service has nothing left for today.'
              : `The operation would cost up to ${units} units; ${remaining} are left today.`,
            {
              service,
              retryAfter: Math.ceil((account.endsAt - now()) / 1000),
              extensions: { quota: { estimated: units, maximum: maximum ?? null, remaining, resetsAt } },
            },
          )
        }
        cacheOnly.add(request)
      }
      return {
        async settle(calls) {
          await ledger.settle(account, id, spentIn(calls))
        },
      }
    },

    book(request, calls) {
      const spent = spentIn(calls)
      if (isNothing(spent)) return undefined
      return ledger.settle(accountOf(credentialKey(request)), '', spent) ?? undefined
    },

    calls: {
      admit(units, request) {
        if (units === 0) return undefined
        const account = accountOf(credentialKey(request))
        const id = nextId()
        const take = ({ granted }: Reservation): void => {
          if (!granted) {
            throw tesseraError('QUOTA_EXCEEDED', "The day's units are used up.", {
              service,
              retryAfter: Math.ceil((account.endsAt - now()) / 1000),
            })
          }
          const ids = promised.get(request)
          if (ids === undefined) promised.set(request, [id])
          else ids.push(id)
        }
        const reserved = ledger.reserve(account, id, units, daily)
        if (reserved instanceof Promise) return reserved.then(take)
        take(reserved)
        return undefined
      },
      settle({ request, credentialKey: credential, operation, units, attempts }) {
        const id = promised.get(request)?.shift() ?? ''
        const spent = attempts === 0 ? {} : { [operation]: { units, calls: attempts } }
        unheard(ledger.settle(accountOf(credential), id, spent))
      },
    },

    allow(units, request) {
      if (units === 0 || !cacheOnly.has(request)) return
      throw tesseraError('QUOTA_EXCEEDED', "The day's units are used up; only what is cached is answered.", {
        service,
        retryAfter: Math.ceil((accountOf(credentialKey(request)).endsAt - now()) / 1000),
      })
    },

    observe({ service: of, reason, credentialKey: credential }) {
      if (of !== service || !spentReasons.has(reason)) return
      unheard(ledger.shut(accountOf(credential)))
    },

    snapshotOf: (request) => snapshot(credentialKey(request)),
    snapshot,

    close: () => ledger.close(),
  }

  async function snapshot(credential: string): Promise<QuotaSnapshot> {
    const account = accountOf(credential)
    const { used, reserved, closed, operations } = await ledger.read(account)
    const left = closed ? 0 : daily === undefined ? null : Math.max(0, daily - used - reserved)
    return {
      limit: daily ?? null,
      used,
      remaining: left,
      resetsAt: new Date(account.endsAt).toISOString(),
      operations: Object.entries(operations).map(([name, spent]) => ({ name, ...spent })),
    }
  }
}

/** What a ledger does for nobody in particular: it has told the log itself where it failed. */
function unheard(done: Promise<void> | void): void {
  if (done instanceof Promise) done.catch(() => {})
}
