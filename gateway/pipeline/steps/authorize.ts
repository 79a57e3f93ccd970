/** Finds the part of the operation that this caller may run. */
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../../shared/errors.ts'
import { whenReady } from '../../../shared/runtime/is-promise.ts'
import {
  type Granted,
  type GrantedOperation,
  isRefused,
  type Operation,
} from '../../auth/granted-operation.ts'
import { explainHeader } from '../../costs/pricing.ts'
import type { OperationContext } from '../operation-context.ts'
import { methodNotAllowed } from '../result-status.ts'
import { known, type PipelineComponents, type Step, type StepResult } from '../step.ts'

export const authorize = {
  name: 'authorize',
  run(context: OperationContext, { hooks, pricing }: Pick<PipelineComponents, 'hooks' | 'pricing'>) {
    const operation = known(context.operation)
    const identity = known(context.identity)
    if (identity.tokenFault !== undefined && !operation.requirements.open) throw identity.tokenFault
    context.isExplained = pricing !== undefined && context.header(explainHeader) !== undefined
    checkKind(context, operation)
    const granted = operation.grantedTo(identity, context.deadline, hooks && context)
    return whenReady(granted, (made) => take(context, made))
  },
} satisfies Step

function checkKind({ sent, isExplained }: OperationContext, { normalised: { kind } }: Operation): void {
  if (sent.queriesOnly && kind === 'mutation')
    throw methodNotAllowed('A GET request can only be a query; send a mutation by POST.')
  if (kind === 'subscription' && sent.subscribe === undefined && !isExplained) throw withoutEvents()
}

const withoutEvents = (): GraphQLError =>
  tesseraError(
    'BAD_REQUEST',
    // Under another host, which answers once, nothing that a client accepts helps.
    "This request is answered once. The gateway's own server answers a subscription if `Accept` has text/event-stream or multipart/mixed;subscriptionSpec=1.0, or over a WebSocket (graphql-transport-ws).",
    { status: 406 },
  )

function take(context: OperationContext, granted: Granted): StepResult {
  if (isRefused(granted)) return { errors: granted }
  context.granted = granted
  if (context.sent.refusesParts === true && granted.refusals.length > 0)
    return { errors: refusedParts(granted) }
  return undefined
}

/** What is refused of an operation, each once. */
function refusedParts({ refusals }: GrantedOperation): readonly GraphQLError[] {
  const distinct = new Map(refusals.map((refusal) => [refusal.message, refusal]))
  return [...distinct.values()].map(
    ({ message, extensions }) => new GraphQLError(message, { extensions: { ...extensions } }),
  )
}
