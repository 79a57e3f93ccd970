/** Finds the caller: the host knows it already, or the token in the `Authorization` header says it. */
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import type { OperationContext } from '../operation-context.ts'
import type { PipelineComponents, Step } from '../step.ts'

export const authenticate = {
  name: 'authenticate',
  run(context: OperationContext, { authenticator }: Pick<PipelineComponents, 'authenticator'>) {
    const { sent } = context
    const identity = sent.identity?.() ?? authenticator.authenticate(context.header('authorization'), context)
    return whenReady(identity, (caller) => {
      context.identity = caller
      return undefined
    })
  },
} satisfies Step
