/**
 * How many of a service's units polling may spend: a share of what is left, spread over the time until the day
 * ends. All pollers of a credential slow down by the same factor, those of other processes included. A poller that
 * would become too slow to be useful stops, or does not begin.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import type { LiveClock, LiveMembership, LiveStore } from '../../../shared/polling.ts'
import type { QuotaState, ReadQuota } from '../../../shared/quota.ts'
import { counted } from '../../../shared/runtime/counted.ts'

/** The longest useful interval. A poller that the budget would slow down further stops. */
const slowestMs = 900_000

/** Adds a poller with this credential. */
export type LiveBudget = (credentialKey: string) => BudgetShare

export interface BudgetShare {
  /** Sets what the poller would spend: units for each poll, and the interval without a budget. */
  set(units: number, intervalMs: number): void
  /**
   * The interval that the budget allows, or the reason to stop. `units` replaces the price of a poll. `counted` is what
   * the budget has counted for the poll already: what was set here, if another process does not poll the same.
   */
  allows(units?: number, counted?: number): Promise<number | GraphQLError>
  leave(): void
}

interface Spender {
  units: number
  intervalMs: number
}

interface Account {
  readonly spenders: Set<Spender>
  membership: LiveMembership | undefined
  /** Units per millisecond that the pollers of other processes would spend. */
  others: number
  /** Units per millisecond, as the other processes know them of this one. */
  told: number
}

/** The budget for a service without units. */
export const unlimited: LiveBudget = () => {
  let interval = 0
  return {
    set(_, intervalMs) {
      interval = intervalMs
    },
    allows: async () => interval,
    leave: () => {},
  }
}

export function createLiveBudget(options: {
  readonly service: string
  readonly readQuota: ReadQuota
  /** From 0 to 1. */
  readonly share: number
  readonly clock: LiveClock
  readonly store: LiveStore
}): LiveBudget {
  const { service, readQuota, share, clock, store } = options
  const accounts = new Map<string, Account>()

  const demandOf = (spenders: Iterable<Spender>): number => {
    let demand = 0
    for (const { units, intervalMs } of spenders) if (intervalMs > 0) demand += units / intervalMs
    return demand
  }

  function accountOf(credentialKey: string): Account {
    const known = accounts.get(credentialKey)
    if (known !== undefined) return known
    const account: Account = { spenders: new Set(), membership: undefined, others: 0, told: 0 }
    accounts.set(credentialKey, account)
    account.membership = store.join(`${service} budget ${credentialKey}`, {
      lead: () => {},
      hear: () => {},
      renew: () => {},
      wants(demands) {
        account.others = demands.reduce<number>(
          (sum, demand) => sum + (typeof demand === 'number' ? demand : 0),
          0,
        )
      },
    })
    return account
  }

  function refusal(
    { remaining, limit, resetsAt }: QuotaState,
    units: number,
    code: 'QUOTA_EXCEEDED' | 'COST_ESTIMATED_TOO_EXPENSIVE',
  ): GraphQLError {
    const seconds = Math.max(1, Math.ceil((Date.parse(resetsAt) - clock.now()) / 1000))
    const why =
      code === 'QUOTA_EXCEEDED'
        ? `A poll costs ${counted(units, 'unit')}, and polling has fewer left today.`
        : `A poll costs ${counted(units, 'unit')}, and polling has so few left today that its interval would exceed ${slowestMs / 60_000} minutes.`
    return tesseraError(code, why, {
      service,
      ...(code === 'QUOTA_EXCEEDED' ? { retryAfter: seconds } : {}),
      extensions: { quota: { estimated: units, maximum: limit, remaining, resetsAt } },
    })
  }

  return (credentialKey) => {
    const account = accountOf(credentialKey)
    const own: Spender = { units: 0, intervalMs: 0 }
    account.spenders.add(own)
    const tell = (): void => {
      const demand = demandOf(account.spenders)
      if (demand === account.told || Math.abs(demand - account.told) < account.told / 10) return
      account.told = demand
      account.membership?.want(demand)
    }
    return {
      set(units, intervalMs) {
        if (own.units === units && own.intervalMs === intervalMs) return
        own.units = units
        own.intervalMs = intervalMs
        tell()
      },
      async allows(units = own.units, counted = own.units) {
        if (units === 0 || own.intervalMs === 0) return own.intervalMs
        const state = await readQuota(credentialKey)
        const { remaining, resetsAt } = state
        if (remaining === null) return own.intervalMs
        const left = remaining * share
        if (left < units) return refusal(state, units, 'QUOTA_EXCEEDED')
        const untilReset = Math.max(1, Date.parse(resetsAt) - clock.now())
        const more = (units - counted) / own.intervalMs
        const demand = demandOf(account.spenders) + account.others + more
        const interval = own.intervalMs * Math.max(1, (demand * untilReset) / left)
        return interval > Math.max(slowestMs, own.intervalMs)
          ? refusal(state, units, 'COST_ESTIMATED_TOO_EXPENSIVE')
          : interval
      },
      leave() {
        account.spenders.delete(own)
        if (account.spenders.size > 0) {
          tell()
          return
        }
        account.membership?.leave()
        accounts.delete(credentialKey)
      },
    }
  }
}
