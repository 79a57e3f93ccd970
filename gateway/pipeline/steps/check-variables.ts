/** Checks that variables and idempotency keys are within the limits and well formed, also after hooks changed them. */
import { checkValue } from '../../costs/limits/index.ts'
import { idempotencyHeader, idempotencyKeysOf } from '../idempotency/keys.ts'
import type { OperationContext } from '../operation-context.ts'
import { known, type PipelineComponents, type Step } from '../step.ts'

export const checkVariables = {
  name: 'checkVariables',
  run(context: OperationContext, { limits }: Pick<PipelineComponents, 'limits'>) {
    const { variables, params } = context
    const operation = known(context.operation)
    const tooLarge = checkValue(variables, limits) ?? operation.checkValues?.(variables)
    if (tooLarge !== undefined) throw tooLarge
    if (operation.normalised.kind === 'mutation')
      context.idempotencyKeys = idempotencyKeysOf(
        context.header(idempotencyHeader),
        params.extensions?.idempotencyKey,
      )
    return undefined
  },
} satisfies Step
