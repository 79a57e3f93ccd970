/** Applies the bound on `@cost` and the caller's rate limits. */
import { GraphQLError } from 'graphql'
import type { Pricing } from '../../costs/pricing.ts'
import type { RatedRequest } from '../../costs/rate/index.ts'
import type { OperationContext } from '../operation-context.ts'
import { known, type PipelineComponents, type Step } from '../step.ts'

export const limit = {
  name: 'limit',
  run(context: OperationContext, components: Pick<PipelineComponents, 'demand' | 'rateLimits' | 'pricing'>) {
    const { demand, rateLimits, pricing } = components
    const cost = context.isExplained ? undefined : demand?.admit(known(context.granted), context.variables)
    if (cost instanceof GraphQLError) return { errors: [cost] }
    context.cost = cost
    if (rateLimits === undefined) return undefined
    return rateLimits.take(rated(context, pricing)).then(({ refusal, head }) => {
      context.addHead(head)
      return refusal && { errors: [refusal] }
    })
  },
} satisfies Step

function rated(context: OperationContext, pricing: Pricing | undefined): RatedRequest {
  const { variables, isExplained, cost } = context
  const granted = known(context.granted)
  const { name, normalised, hash } = granted.operation
  return {
    identity: known(context.identity),
    operation: { name, type: normalised.kind, hash },
    header: (key) => context.header(key),
    address: context.address(),
    cost: () => cost?.estimated ?? 0,
    // An explanation uses no units, but it counts as a request.
    units: () => (isExplained ? 0 : (pricing?.units(granted, variables) ?? 0)),
  }
}
