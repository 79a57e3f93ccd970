/**
 * Budgets of agents: units, calls, tokens of answers and changes, for each minute and each day, by grant. They are
 * token buckets in the store of rate limits. The most that an operation can use is taken before it runs, and what it
 * did not use is put back. So operations that run at the same time cannot exceed a budget together.
 */
import { hash } from 'node:crypto'
import { callerName, type Identity } from '../../shared/identity.ts'
import type { RateStore, Take } from '../costs/rate/index.ts'

/** How much one grant may use in a window. */
export interface AgentBudget {
  readonly counts: 'units' | 'calls' | 'tokens' | 'changes'
  readonly limit: number
  readonly per: 'minute' | 'day'
}

export type Amounts = Readonly<Record<AgentBudget['counts'], number>>

export interface BudgetState {
  /** Such as `units each minute`. */
  readonly budget: string
  readonly limit: number
  readonly used: number
  /** Seconds until enough is back; until all of it is, if nothing was refused. */
  readonly backInSeconds: number
}

/** What was taken, or the state of the budget that does not allow it. */
type Taking =
  | { readonly taken: Amounts; readonly over?: undefined }
  | { readonly taken?: undefined; readonly over: BudgetState }

export type Budgets = ReturnType<typeof createBudgets>

/** The least that one answer may be bounded to. */
export const leastTokens = 200

const windowMs = { minute: 60_000, day: 86_400_000 } as const

/** Who uses a budget: the user, with the program that acts for it. `caller` stands for callers without names. */
export function grantOf(identity: Identity, caller: string): string {
  const { azp, client_id: client } = identity.claims
  const named = callerName(identity) ?? ['caller', caller]
  return hash('sha256', JSON.stringify([named, client ?? azp ?? null]), 'base64url').slice(0, 22)
}

export function createBudgets(budgets: readonly AgentBudget[], store: () => RateStore) {
  const takesOf = (grant: string, amounts: Amounts, sign = 1): readonly Take[] =>
    budgets.map(({ counts, limit, per }) => {
      const tokenMs = windowMs[per] / limit
      return {
        key: `agent:${counts}:${per}:${grant}`,
        costMs: sign * amounts[counts] * tokenMs,
        capacityMs: windowMs[per],
      }
    })
  const stateOf = ({ counts, limit, per }: AgentBudget, level: number, waitMs: number): BudgetState => ({
    budget: `${counts} each ${per}`,
    limit,
    used: Math.min(limit, Math.ceil((level / windowMs[per]) * limit - 1e-6)),
    backInSeconds: Math.ceil(waitMs / 1000),
  })
  const tokenLimits = budgets.filter(({ counts }) => counts === 'tokens').map(({ limit }) => limit)
  return {
    isEmpty: budgets.length === 0,
    /**
     * Takes the amounts, but only the tokens that are left if those are fewer and enough for an answer. They are never
     * enough for the answer to a change, which cannot be asked for again.
     */
    async take(grant: string, asked: Amounts): Promise<Taking> {
      if (budgets.length === 0) return { taken: asked }
      const amounts = { ...asked, tokens: Math.min(asked.tokens, ...tokenLimits) }
      const { granted, levels } = await store().take(takesOf(grant, amounts))
      if (granted) return { taken: amounts }
      const current = budgets.map((budget, n) => ({ ...budget, level: levels[n] ?? 0 }))
      const ofTokens = current.filter(({ counts }) => counts === 'tokens')
      const left = ofTokens.map(({ limit, per, level }) => Math.floor((1 - level / windowMs[per]) * limit))
      const least = amounts.changes > 0 ? amounts.tokens : Math.min(amounts.tokens, leastTokens)
      const tokens = Math.min(...left)
      if (tokens >= least && tokens < amounts.tokens) return this.take(grant, { ...amounts, tokens })
      const takes = takesOf(grant, { ...amounts, tokens: least })
      const [over] = current
        .map((budget, n) =>
          stateOf(budget, budget.level, budget.level + (takes[n]?.costMs ?? 0) - windowMs[budget.per]),
        )
        .sort((a, b) => b.backInSeconds - a.backInSeconds)
      return over === undefined ? { taken: amounts } : { over }
    },
    /** Puts back what was taken and not used. */
    async putBack(grant: string, amounts: Amounts): Promise<void> {
      if (budgets.length > 0) await store().take(takesOf(grant, amounts, -1))
    },
    async states(grant: string): Promise<readonly BudgetState[]> {
      if (budgets.length === 0) return []
      const nothing: Amounts = { units: 0, calls: 0, tokens: 0, changes: 0 }
      const { levels } = await store().take(takesOf(grant, nothing))
      return budgets.map((budget, n) => stateOf(budget, levels[n] ?? 0, levels[n] ?? 0))
    },
  }
}
