/**
 * The plans of one operation. There is one plan, or with labels of `@override` one for each set of decisions that
 * occurs. Each is made when a request needs it.
 */
import { LRUCache } from 'lru-cache'
import type { Step } from '../executor/execution.ts'
import type { EventFetch } from '../executor/index.ts'
import type { DecideLabel, Plan, Planner, Planning } from '../planner/index.ts'
import type { NormalisedOperation } from './normalised.ts'
import { isLate } from './variant-cache.ts'

export interface Prepared {
  readonly plan: Plan
  /** Runs the plan. Undefined if nothing is fetched. */
  readonly step: Step | undefined
  /** The root response keys of `node` fields whose objects may not exist. */
  readonly nodeFields: ReadonlySet<string>
  /** The source of the events, of a subscription. */
  readonly events: EventFetch | undefined
}

interface VariantsOptions {
  /** The part that may be fetched. Null: nothing. */
  readonly operation: NormalisedOperation | null
  readonly planner: Planner
  prepare(plan: Plan): Prepared
}

/** Throws if there is no plan: a failure is kept as well, because a search that fails takes as long as planning may. */
type Kept = () => Prepared

/** The most plans that are kept, one for each set of decisions. */
const mostVariants = 64

export class Variants {
  readonly #options: VariantsOptions
  /** By the decisions. */
  readonly #kept: Map<string, Kept> | LRUCache<string, Kept>

  constructor(options: VariantsOptions) {
    this.#options = options
    // Without labels there is one plan, and nothing to bound.
    this.#kept = options.planner.labels.length === 0 ? new Map() : new LRUCache({ max: mostVariants })
  }

  /** The plan for these decisions, made within the deadline if it is new. Throws a `PlanError` if there is none. */
  for(decide: DecideLabel, deadline: number | undefined): Prepared {
    const { operation, planner } = this.#options
    const key = this.#keyOf(decide)
    const known = this.#kept.get(key)
    if (known !== undefined) return known()
    const decided = (label: string): boolean => key[planner.labels.indexOf(label)] === '1'
    return this.#settle(key, () =>
      operation === null ? undefined : planner.plan({ operation, decide: decided, deadline }),
    )
  }

  /** Makes the plan for requests without decided labels, and yields between steps. Throws as `for` does. */
  *making(): Planning<void> {
    const { operation, planner } = this.#options
    const key = this.#keyOf(() => false)
    if (operation === null || this.#kept.has(key)) return
    let made: () => Plan
    try {
      const plan = yield* planner.planning({ operation })
      made = () => plan
    } catch (error) {
      made = failing(error)
    }
    if (!this.#kept.has(key)) this.#settle(key, made)
  }

  #keyOf(decide: DecideLabel): string {
    const { labels } = this.#options.planner
    return labels.length === 0 ? '' : labels.map((label) => (decide(label) ? '1' : '0')).join('')
  }

  #settle(key: string, plan: () => Plan): Prepared {
    try {
      const prepared = this.#options.prepare(plan())
      this.#kept.set(key, () => prepared)
      return prepared
    } catch (failure) {
      if (!isLate(failure)) this.#kept.set(key, failing(failure))
      throw failure
    }
  }
}

const failing = (error: unknown) => (): never => {
  throw error
}
