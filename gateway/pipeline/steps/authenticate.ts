/** Finds the caller: the host knows it already, or the token in the `Authorization` header says it. */
import type { Identity } from '../../../shared/identity.ts'
import type { OperationContext } from '../operation-context.ts'
import type { PipelineComponents, Step } from '../step.ts'

export const authenticate = {
  name: 'authenticate',
  run(context: OperationContext, { authenticator }: Pick<PipelineComponents, 'authenticator'>) {
    const { sent } = context
    const identity = sent.identity?.() ?? authenticator.authenticate(context.header('authorization'), context)
    if (identity instanceof Promise) return identity.then((late) => take(context, late))
    return take(context, identity)
  },
} satisfies Step

function take(context: OperationContext, identity: Identity): undefined {
  context.identity = identity
  return undefined
}
