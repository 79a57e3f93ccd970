/**
 * The price of an operation around its execution: known before, compared with the budgets, reported afterwards. If
 * there is no budget and no caller asks, an operation is not priced at all.
 */
import { GraphQLError, type GraphQLSchema, getVariableValues } from 'graphql'
import { printPlan } from '../../engine/planner/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { anonymous } from '../../shared/identity.ts'
import type { CallRecord } from '../../shared/request.ts'
import { counted } from '../../shared/runtime/counted.ts'
import type { GrantedOperation } from '../auth/granted-operation.ts'
import { createCallBound } from './call-bound.ts'
import type {
  Estimate,
  EstimateOfVariables,
  Estimator,
  PollEstimate,
  PollEstimator,
} from './estimate/index.ts'
import { type Admission, maxUnitsHeader, type Quota } from './quota/index.ts'

type Variables = Readonly<Record<string, unknown>>

/** Requests `extensions.quota`. */
export const quotaHeader = 'tessera-quota'
/** Requests what an operation would need, without running it. */
export const explainHeader = 'tessera-explain'

interface PricingOptions {
  readonly schema: GraphQLSchema
  readonly estimator: Estimator
  readonly polls: PollEstimator
  readonly quota: Quota
  /** The most calls that one operation may make to a service. */
  readonly maxCalls: number
}

/** What is priced of an operation. */
type Allowed = Pick<GrantedOperation, 'allowed' | 'operation'>

export interface Priced {
  readonly estimate: Estimate | undefined
  readonly admission: Admission | undefined
}

export const notPriced: Priced = { estimate: undefined, admission: undefined }
const nothing: EstimateOfVariables = {
  units: 0,
  calls: {},
  operations: [],
  variablesRead: new Set(),
  isRepeatable: true,
}

export class Pricing {
  readonly #options: PricingOptions
  readonly #callBound

  constructor(options: PricingOptions) {
    this.#options = options
    this.#callBound = createCallBound(options.maxCalls)
  }

  /** The estimate: the most units that it can cost. */
  units(granted: Allowed, variables: Variables): number {
    return this.#estimateOf(granted, variables)?.units ?? 0
  }

  /** Reserves the most units that the operation may cost; the refusal if it may not run. */
  reserve(
    granted: GrantedOperation,
    variables: Variables,
    request: GatewayRequest,
  ): Promise<Priced | GraphQLError> | Priced | GraphQLError {
    const { quota } = this.#options
    const { allowed, operation } = granted
    const excess = allowed && this.#callBound(allowed, variables, () => this.#estimateOf(granted, variables))
    if (excess) return excess
    const asked = request.header(quotaHeader) !== undefined || request.header(maxUnitsHeader) !== undefined
    if (!quota.bounded && !asked) return notPriced
    const estimate = this.#estimateOf(granted, variables)
    if (estimate === undefined) return notPriced
    if (estimate.units === 0) return { estimate, admission: undefined }
    return quota
      .admit(request, estimate.units, operation.normalised.kind === 'query')
      .then((admission) => (admission instanceof GraphQLError ? admission : { estimate, admission }))
  }

  /** Books the spent units. */
  book(
    { admission }: Priced,
    request: GatewayRequest,
    calls: readonly CallRecord[],
  ): Promise<void> | undefined {
    if (admission !== undefined) return admission.settle(calls)
    return calls.length === 0 ? undefined : this.#options.quota.record(request, calls)
  }

  /** `extensions.quota`, for a caller that asked for it. */
  async report({ estimate }: Priced, request: GatewayRequest, calls: readonly CallRecord[]): Promise<object> {
    const outcomes = (outcome: CallRecord['outcome']): number =>
      calls.filter((call) => call.outcome === outcome).length
    const { remaining, resetsAt } = await this.#options.quota.snapshotOf(request)
    return {
      estimated: estimate?.units ?? 0,
      spent: calls.reduce((sum, { units }) => sum + units, 0),
      fromCache: outcomes('cached'),
      shared: outcomes('shared'),
      remaining,
      resetsAt,
    }
  }

  /** `extensions.explain`, for a caller that asked for it instead of data. */
  async explain(granted: GrantedOperation, variables: Variables): Promise<object> {
    const estimate = this.#estimateOf(granted, variables) ?? nothing
    const plan = granted.compiled.plan()
    const poll = this.#pollOf(granted, variables)
    return {
      scopes: {
        required: await requiredOf(granted),
        refused: granted.refusals.map(({ message, extensions }) => ({
          message,
          ...(extensions.authorization as object),
        })),
      },
      units: estimate.units,
      calls: estimate.calls,
      operations: estimate.operations,
      ...(poll === undefined ? {} : { poll: pollExplained(poll) }),
      plan: printPlan(plan),
    }
  }

  #estimateOf(granted: Allowed, raw: Variables): EstimateOfVariables | undefined {
    const { allowed } = granted
    if (allowed === null) return nothing
    const coerced = this.#coercedOf(granted, raw)
    return coerced && this.#options.estimator(allowed, coerced)
  }

  #pollOf(granted: Allowed, raw: Variables): PollEstimate | undefined {
    const { allowed } = granted
    if (allowed === null) return undefined
    const coerced = this.#coercedOf(granted, raw)
    return coerced && this.#options.polls(allowed, coerced)
  }

  #coercedOf({ operation }: Allowed, raw: Variables) {
    const { schema } = this.#options
    return getVariableValues(schema, operation.normalised.variables, { ...raw }, { maxErrors: 1 }).coerced
  }
}

/** One poll, and an hour of polls, of a subscription over a polled service. */
function pollExplained({ units, calls, operations, everySeconds }: PollEstimate): object {
  return {
    intervalSeconds: everySeconds,
    units,
    unitsPerHour: Math.ceil((units * 3600) / everySeconds),
    calls,
    operations,
  }
}

/** The scopes that the operation requires: for each field with scopes, the sets of which one is enough. */
export async function requiredOf({ operation }: Pick<Allowed, 'operation'>): Promise<readonly unknown[]> {
  const { requirements } = operation
  // Without a caller every field with scopes is refused.
  const { refusals, report = refusals } = requirements.filter(await requirements.grant(anonymous))
  const required = report.map(
    ({ extensions }) => (extensions.authorization as { readonly required?: unknown } | undefined)?.required,
  )
  return [...new Map(required.map((sets) => [JSON.stringify(sets), sets])).values()]
}

/** Calls and milliseconds by service, for the `Server-Timing` header; undefined if there were none. */
export function serverTiming(calls: readonly CallRecord[]): string | undefined {
  if (calls.length === 0) return undefined
  // There are only a few: searching a list is faster than making a map for each request.
  const services: { readonly name: string; calls: number; milliseconds: number }[] = []
  for (const { service, milliseconds } of calls) {
    const known = services.find(({ name }) => name === service)
    if (known === undefined) services.push({ name: service, calls: 1, milliseconds })
    else {
      known.calls += 1
      known.milliseconds += milliseconds
    }
  }
  return services.map((each) => timingOf(each.name, each.calls, each.milliseconds)).join(', ')
}

function timingOf(service: string, calls: number, milliseconds: number): string {
  // The same as `toFixed(1)`, but faster.
  const tenths = Math.round(milliseconds * 10)
  return `${service};dur=${Math.floor(tenths / 10)}.${tenths % 10};desc="${counted(calls, 'call')}"`
}
