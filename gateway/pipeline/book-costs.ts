/** Books the units that an operation used when it ends, and reports them if the caller asks. */
import { createMergedResult } from '../../engine/executor/incremental/index.ts'
import { costHeader } from '../costs/demand/index.ts'
import { quotaHeader } from '../costs/pricing.ts'
import { dataOf } from './executors.ts'
import type { IncrementalCost, OperationContext } from './operation-context.ts'
import type { Result } from './operation-request.ts'
import { known, type PipelineComponents } from './step.ts'

type PricingComponents = Pick<PipelineComponents, 'pricing' | 'demand'>

/** Books the units so far. Units of shared calls that end later are booked when they end. */
export function bookUnits(
  context: OperationContext,
  { pricing }: PricingComponents,
): Promise<void> | undefined {
  if (pricing === undefined) return undefined
  const { priced } = context
  context.late = (record) => void pricing.after(priced, context, [record])?.catch(() => {})
  return pricing.after(priced, context, [...context.records])
}

/** Computes the cost of the data, and returns the report of it, if any. `data` is undefined if it is not known. */
function costOf(context: OperationContext, { demand }: PricingComponents, data: unknown) {
  const { cost, granted, variables } = context
  if (demand === undefined || cost === undefined) return undefined
  if (data !== undefined) demand.after(cost, known(granted), variables, () => dataOf(data))
  return demand.report(cost, context.header(costHeader) !== undefined)
}

/** `extensions.cost`, with the header of the answer that says the same. */
export function costHead(
  context: OperationContext,
  components: PricingComponents,
  data: unknown,
): object | undefined {
  const cost = costOf(context, components, data)
  if (cost !== undefined) context.addHead([costHeader, cost.header])
  return cost?.extension
}

/** `extensions.quota`, if the caller asks for it. */
export function quotaOf(
  context: OperationContext,
  { pricing }: PricingComponents,
): ReturnType<NonNullable<PricingComponents['pricing']>['report']> | undefined {
  if (pricing === undefined || context.header(quotaHeader) === undefined) return undefined
  return pricing.report(context.priced, context, context.records)
}

export function incrementalCost(
  context: OperationContext,
  components: PricingComponents,
  { data }: Result<unknown>,
): IncrementalCost {
  const whole = components.demand?.isMeasured === true ? createMergedResult(dataOf(data)) : undefined
  return {
    took: (update) => whole?.add(update),
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
