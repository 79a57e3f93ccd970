/** Prepares the operation of the document: parses and validates it once, and keeps it for later requests. */
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import { isRefused } from '../../auth/granted-operation.ts'
import type { OperationContext } from '../operation-context.ts'
import { known, type PipelineComponents, type Step } from '../step.ts'

export const prepare = {
  name: 'prepare',
  run(context: OperationContext, { operations }: Pick<PipelineComponents, 'operations'>) {
    const { params, deadline } = context
    const prepared = operations.get(known(context.text), params.operationName, deadline)
    return whenReady(prepared, (made) => {
      if (isRefused(made)) return { errors: made }
      context.operation = made
      return undefined
    })
  },
} satisfies Step
