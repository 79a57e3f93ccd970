/**
 * The units that it may cost, which are reserved; or, if it is only to be explained, the explanation. A mutation that is
 * allowed only as a repeat is held against its idempotency keys instead: it spends nothing.
 */
import { GraphQLError } from 'graphql'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import type { Pricing } from '../../costs/pricing.ts'
import type { CacheReport } from '../../response-cache/index.ts'
import type { Idempotency } from '../idempotency/index.ts'
import type { OperationContext } from '../operation-context.ts'
import { known, type PipelineComponents, type Step, type StepResult } from '../step.ts'

type PricingComponents = Pick<PipelineComponents, 'pricing' | 'demand' | 'reportCache' | 'idempotency'>

export const price = {
  name: 'price',
  run(context: OperationContext, components: PricingComponents) {
    const { pricing, idempotency } = components
    const { unlessRepeated } = context.sent
    if (unlessRepeated !== undefined) return repeated(context, idempotency, unlessRepeated)
    if (pricing === undefined) return undefined
    if (context.isExplained) return explain(context, components, pricing)
    const priced = pricing.reserve(known(context.granted), context.variables, context)
    return whenReady(priced, (made): StepResult | Promise<StepResult> => {
      if (made instanceof GraphQLError) return repeated(context, idempotency, made)
      context.priced = made
      return undefined
    })
  },
} satisfies Step

/** A change that was made is reported as made, also if the budget is used up by then. */
async function repeated(
  context: OperationContext,
  idempotency: Idempotency | undefined,
  refusal: GraphQLError,
): Promise<StepResult> {
  if (context.idempotencyKeys === undefined || idempotency === undefined) return { errors: [refusal] }
  const earlier = await idempotency.earlier(known(context.granted), context.variables, context)
  if (earlier !== 'done') return { errors: [earlier ?? refusal] }
  // If the answer is gone by now, no call is made.
  context.cacheOnly = true
  return undefined
}

async function explain(
  context: OperationContext,
  { demand, reportCache }: PricingComponents,
  pricing: Pricing,
): Promise<StepResult> {
  const { variables } = context
  const granted = known(context.granted)
  const explained = await pricing.explain(granted, variables)
  const cost = demand?.explain(granted, variables)
  const cache = await explainCache(context, reportCache)
  return {
    extensions: {
      explain: {
        ...explained,
        ...(cost === undefined ? {} : { cost }),
        ...(cache === undefined ? {} : { cache }),
      },
    },
  }
}

/** What of a query is kept, found out without asking any subgraph; undefined if nothing is kept. */
async function explainCache(
  context: OperationContext,
  reportCache: PipelineComponents['reportCache'],
): Promise<CacheReport['fetches'] | undefined> {
  const { compiled, operation } = known(context.granted)
  if (operation.normalised.kind !== 'query') return undefined
  const dry = reportCache?.(context, { isDry: true })
  if (dry === undefined) return undefined
  await compiled.execute(context.variables, context)
  return dry.fetches
}
