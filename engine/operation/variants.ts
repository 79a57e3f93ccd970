/**
 * The plans of one operation. There is one plan, or with labels of `@override` one for each set of decisions that
 * occurs. Each is made when a request needs it.
 */
import { LRUCache } from 'lru-cache'
import type { Step } from '../executor/execution.ts'
import type { EventFetch } from '../executor/index.ts'
import { type DecideLabel, type Plan, PlanBoundError, type Planner, type Planning } from '../planner/index.ts'
import type { NormalisedOperation } from './normalised.ts'

export interface Prepared {
  readonly plan: Plan
  /** Runs the plan. Undefined if nothing is fetched. */
  readonly step: Step | undefined
  /** The root response keys of `node` fields whose objects may not exist. */
  readonly nodeFields: ReadonlySet<string>
  /** The source of the events, of a subscription. */
  readonly events: EventFetch | undefined
}

export interface VariantsOptions {
  /** The part that may be fetched. Null: nothing. */
  readonly operation: NormalisedOperation | null
  readonly planner: Planner
  prepare(plan: Plan): Prepared
}

export interface Variants {
  /** The plan for these decisions, made within the deadline if it is new. Throws a `PlanError` if there is none. */
  for(decide: DecideLabel, deadline: number | undefined): Prepared
  /** Makes the plan for requests without decided labels, and yields between steps. Throws as `for` does. */
  making(): Planning<void>
}

/** The most plans that are kept, one for each set of decisions. */
const mostVariants = 64

export function createVariants({ operation, planner, prepare }: VariantsOptions): Variants {
  if (operation === null) {
    const nothing = prepare(undefined)
    return { for: () => nothing, *making() {} }
  }
  const { labels } = planner
  if (labels.length === 0) {
    let only: Prepared | undefined
    let failure: unknown
    const fails = (error: unknown): never => {
      if (!(error instanceof PlanBoundError && error.ofTime)) failure = error
      throw error
    }
    return {
      for(decide, deadline) {
        if (only !== undefined) return only
        // A failed search takes as long as planning may, so the failure is kept.
        if (failure !== undefined) throw failure
        try {
          only = prepare(planner.plan({ operation, decide, deadline }))
          return only
        } catch (error) {
          return fails(error)
        }
      },
      *making() {
        if (only !== undefined || failure !== undefined) return
        try {
          const plan = yield* planner.planning({ operation })
          only ??= prepare(plan)
        } catch (error) {
          fails(error)
        }
      },
    }
  }
  const variants = new LRUCache<string, Prepared>({ max: mostVariants })
  const keyOf = (decide: DecideLabel): string => labels.map((label) => (decide(label) ? '1' : '0')).join('')
  const keep = (key: string, plan: Plan): Prepared => {
    const variant = prepare(plan)
    variants.set(key, variant)
    return variant
  }
  return {
    for(decide, deadline) {
      const decided = new Map(labels.map((label) => [label, decide(label)]))
      const given = (label: string): boolean => decided.get(label) === true
      const key = keyOf(given)
      return variants.get(key) ?? keep(key, planner.plan({ operation, decide: given, deadline }))
    },
    *making() {
      const key = keyOf(() => false)
      if (variants.has(key)) return
      const plan = yield* planner.planning({ operation })
      if (!variants.has(key)) keep(key, plan)
    },
  }
}
