/** Prepares the operation of the document: parses and validates it once, and keeps it for later requests. */
import type { GraphQLError } from 'graphql'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import { isRefused, type Operation } from '../../auth/operation.ts'
import type { OperationContext } from '../operation-context.ts'
import { known, type PipelineComponents, type Step, type StepResult } from '../step.ts'

export const prepare = {
  name: 'prepare',
  run(context: OperationContext, { operations }: Pick<PipelineComponents, 'operations'>) {
    const { params, deadline } = context
    const prepared = operations.get(known(context.text), params.operationName, deadline)
    return whenReady(prepared, (made) => take(context, made))
  },
} satisfies Step

function take(context: OperationContext, prepared: Operation | readonly GraphQLError[]): StepResult {
  if (isRefused(prepared)) return { errors: prepared }
  context.operation = prepared
  return undefined
}
