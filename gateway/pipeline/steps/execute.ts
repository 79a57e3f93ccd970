/**
 * Executes the operation: whole, incrementally, or as a subscription that begins. The units that it used are booked however
 * it ends, and reported if the caller asks.
 */
import { createMergedResult } from '../../../engine/executor/incremental/index.ts'
import { costHeader } from '../../costs/demand/index.ts'
import { quotaHeader } from '../../costs/pricing.ts'
import { cacheHeader } from '../../response-cache/index.ts'
import { dataOf } from '../executors.ts'
import { isMadeInPart } from '../made-in-part.ts'
import { maskError } from '../mask.ts'
import type { IncrementalCost, OperationContext } from '../operation-context.ts'
import type { Executor, Result } from '../operation-request.ts'
import { known, type PipelineComponents, type Step, type StepResult } from '../step.ts'

export const execute = {
  name: 'execute',
  async run(context: OperationContext, components: PipelineComponents): Promise<StepResult> {
    const { params, variables } = context
    const granted = known(context.granted)
    // Only documents of requests that were not refused are kept.
    const kept = params.extensions === undefined ? undefined : components.documents.keep(params)
    if (kept !== undefined) await kept
    const isQuery = granted.operation.normalised.kind === 'query'
    if (isQuery && context.header(cacheHeader) !== undefined)
      context.cache = components.reportCache?.(context, { isDry: false })
    let result: Result<unknown> | undefined
    try {
      result = await executorOf(context, components)(granted, variables, context)
    } finally {
      const booked = result?.updates === undefined ? bookUnits(context, components) : undefined
      if (booked !== undefined) await booked
    }
    if (context.replayed) context.addHead(['idempotency-replayed', 'true'])
    // The caller may see nothing of the operation. The status is 401 or 403, and only the edition of 2025 allows an entry
    // `data` with these.
    if (granted.allowed === null)
      result = { ...result, data: components.httpProfile === '2025' ? null : undefined }
    if (result.updates !== undefined) context.incrementalCost = incrementalCostOf(context, components, result)
    const quota = result.updates === undefined ? quotaOf(context, components) : undefined
    const told = withReports(context, components, result, quota && (await quota))
    const whole = masked(context, components, told)
    context.isMadeInPart = isMadeInPart(context, whole)
    return whole
  },
} satisfies Step

function executorOf(context: OperationContext, { hooks, executors }: PipelineComponents): Executor<unknown> {
  const { sent, idempotencyKeys } = context
  const { compiled, allowed, operation } = known(context.granted)
  // Without an allowed part the engine's result says why.
  if (operation.normalised.kind === 'subscription' && allowed !== null && sent.subscribe !== undefined)
    return sent.subscribe
  // Hooks of answers and idempotency keys need the whole answer.
  const isWhole = hooks?.answer !== undefined || idempotencyKeys !== undefined
  if (sent.acceptsIncremental === true && !isWhole && compiled.executeIncrementally !== undefined)
    return executors.incremental
  return executors[sent.form.kind]
}

function withReports(
  context: OperationContext,
  components: PipelineComponents,
  result: Result<unknown>,
  quota: object | undefined,
): Result<unknown> {
  const { cache, operation } = context
  // Later results are not known yet, and each event of a subscription is measured by itself.
  const isPart = result.updates !== undefined || operation?.normalised.kind === 'subscription'
  const cost = costHead(context, components, isPart ? undefined : (result.data ?? null))
  if (quota === undefined && cost === undefined && cache === undefined) return result
  // The report on units replaces the executor's own extensions.
  const before = quota === undefined ? result.extensions : { quota }
  return {
    ...result,
    extensions: {
      ...before,
      ...(cost === undefined ? {} : { cost }),
      ...(cache === undefined ? {} : { cache: cache.fetches }),
    },
  }
}

/** Masks the errors, and adds those that authorization only reports. */
function masked(
  { id, traceId, granted }: OperationContext,
  { log }: PipelineComponents,
  result: Result<unknown>,
): Result<unknown> {
  const report = granted?.report
  if (result.errors === undefined && report === undefined) return result
  const errors = result.errors?.map((error) => maskError(error, id, log, traceId)) ?? []
  return { ...result, errors: report === undefined ? errors : [...errors, ...report] }
}

type PricingComponents = Pick<PipelineComponents, 'pricing' | 'demand'>

/** Books the units so far. Units of shared calls that end later are booked when they end. */
function bookUnits(context: OperationContext, { pricing }: PricingComponents): Promise<void> | undefined {
  if (pricing === undefined) return undefined
  const { priced } = context
  context.onLateCall = (record) => void pricing.book(priced, context, [record])?.catch(() => {})
  return pricing.book(priced, context, [...context.records])
}

/** Computes the cost of the data, and returns the report of it, if any. `data` is undefined if it is not known. */
function costOf(context: OperationContext, { demand }: PricingComponents, data: unknown) {
  const { cost, granted, variables } = context
  if (demand === undefined || cost === undefined) return undefined
  if (data !== undefined) demand.measure(cost, known(granted), variables, () => dataOf(data))
  return demand.report(cost, context.header(costHeader) !== undefined)
}

/** `extensions.cost`, with the header of the answer that says the same. */
function costHead(
  context: OperationContext,
  components: PricingComponents,
  data: unknown,
): object | undefined {
  const cost = costOf(context, components, data)
  if (cost !== undefined) context.addHead([costHeader, cost.header])
  return cost?.extension
}

/** `extensions.quota`, if the caller asks for it. */
function quotaOf(context: OperationContext, { pricing }: PricingComponents): Promise<object> | undefined {
  if (pricing === undefined || context.header(quotaHeader) === undefined) return undefined
  return pricing.report(context.priced, context, context.records)
}

function incrementalCostOf(
  context: OperationContext,
  components: PricingComponents,
  { data }: Result<unknown>,
): IncrementalCost {
  const whole = components.demand?.isMeasured === true ? createMergedResult(dataOf(data)) : undefined
  return {
    add: (update) => whole?.add(update),
    async settle() {
      await bookUnits(context, components)
      const cost = whole === undefined ? undefined : costOf(context, components, whole.data)
      const quota = await quotaOf(context, components)
      const extensions = {
        ...(quota === undefined ? {} : { quota }),
        ...(cost === undefined ? {} : { cost: cost.extension }),
      }
      return Object.keys(extensions).length === 0 ? undefined : extensions
    },
  }
}
