/** Finds the caller: the host knows it already, or the token in the `Authorization` header says it. */
import type { Identity } from '../../../shared/identity.ts'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import type { OperationContext } from '../operation-context.ts'
import type { PipelineComponents, Step } from '../step.ts'

export const authenticate = {
  name: 'authenticate',
  run(context: OperationContext, { authenticator }: Pick<PipelineComponents, 'authenticator'>) {
    const { sent } = context
    const identity = sent.identity?.() ?? authenticator.authenticate(context.header('authorization'), context)
    return whenReady(identity, (caller) => take(context, caller))
  },
} satisfies Step

function take(context: OperationContext, identity: Identity): undefined {
  context.identity = identity
  return undefined
}
