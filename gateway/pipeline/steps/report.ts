/**
 * The status of the answer and its challenge, and what log, metrics and trace say about it. An incremental response is
 * followed to its last result, which completes them.
 */
import type { GraphQLError } from 'graphql'
import type { ExecutionUpdate, ExecutionUpdates } from '../../../engine/executor/incremental/index.ts'
import { cancelReason } from '../../../shared/http/cancellation.ts'
import { challengeOf } from '../../auth/challenge.ts'
import type { Logger } from '../../telemetry/log.ts'
import { maskError } from '../mask.ts'
import type { OperationContext } from '../operation-context.ts'
import type { SubsequentResults } from '../operation-request.ts'
import { codesOf } from '../report.ts'
import { known, type PipelineComponents, type Step } from '../step.ts'

type ReportComponents = Pick<
  PipelineComponents,
  'statusFor' | 'httpProfile' | 'refusedStatus' | 'metrics' | 'log' | 'report' | 'underWay' | 'answerHead'
>

export const report = {
  name: 'report',
  always: true,
  run(context: OperationContext, components: ReportComponents) {
    const { errors, updates } = known(context.result)
    if (errors !== undefined) judge(context, errors, components)
    if (updates === undefined) over(context, components)
    else follow(context, components)
    const ruled = components.answerHead?.(context)
    if (ruled !== undefined) context.addHead(ruled)
    return undefined
  },
} satisfies Step

function judge(
  context: OperationContext,
  errors: readonly GraphQLError[],
  components: ReportComponents,
): void {
  const { result, sent, identity } = context
  if (hasLeft(context)) {
    context.status = clientLeft
    return
  }
  let status = components.statusFor(known(result), sent.mediaType)
  context.codes = codesOf(errors)
  context.errors = errors.length
  const isRefusal = status === 401 || status === 403
  const isMade = isRefusal && context.isMadeInPart && result?.data !== undefined
  if (isMade) status = components.statusFor({ ...result, errors: errors.filter(isOfOthers) }, sent.mediaType)
  const challenged = isRefusal && !isMade ? challengeOf(errors, identity) : undefined
  if (challenged !== undefined) {
    status = challenged.status
    context.challenge = challenged.challenge
    if (components.refusedStatus === '200' && isRefusedWhole(errors)) {
      context.result = { ...result, data: null }
      status = components.httpProfile === '2025' ? 200 : components.statusFor(context.result, sent.mediaType)
    }
  }
  context.status = status
}

/** Client Closed Request, as proxies log it. */
const clientLeft = 499

/** Whether the client has gone. Errors then say that calls were given up, and nobody gets them. */
const hasLeft = (context: OperationContext): boolean =>
  context.cancelled && cancelReason(context) === 'cancelled'

/** Whether something else than the scopes of the caller is the reason. */
const isOfOthers = ({ extensions }: GraphQLError): boolean => extensions.code !== 'UNAUTHORIZED_FIELD_OR_TYPE'

/** Whether the scopes of the caller are all that is lacking: a refused token is not among it. */
const isRefusedWhole = (errors: readonly GraphQLError[]): boolean => !errors.some(isOfOthers)

function over(context: OperationContext, { report, underWay }: ReportComponents): void {
  report(context, performance.now() - context.started)
  underWay?.end()
}

function follow(context: OperationContext, components: ReportComponents): void {
  const updates = known(known(context.result).updates)
  // The span lasts as long as the results come.
  const release = context.span?.hold()
  components.metrics.firstPart(performance.now() - context.started)
  context.subsequentResults = followIncremental(context, updates, components.log, (errors) => {
    context.errors += errors.length
    if (errors.length > 0 && !hasLeft(context))
      context.codes = [...new Set([...context.codes, ...codesOf(errors)])]
    over(context, components)
    release?.()
  })
}

/**
 * Follows an operation after its first result, until its last result is made or the client has gone. Errors in later results
 * are masked like those of the first. `over` is called once, when nothing is fetched any more, with the errors of all later
 * results.
 */
function followIncremental(
  context: OperationContext,
  updates: ExecutionUpdates,
  log: Logger,
  over: (errors: readonly GraphQLError[]) => void,
): SubsequentResults {
  const errors: GraphQLError[] = []
  let isOver = false
  const end = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
    if (isOver) return undefined
    isOver = true
    // The units are known when the last call has ended, even if nobody waits for its result.
    const idle = updates.whenIdle()
    if (idle !== undefined) {
      context.cancel()
      await idle
    }
    try {
      return await context.incrementalCost?.settle()
    } finally {
      over(errors)
    }
  }
  const masked = (some: readonly GraphQLError[]): readonly GraphQLError[] => {
    if (some.length === 0) return some
    const all = some.map((error) => maskError(error, context.id, log, context.traceId))
    errors.push(...all)
    return all
  }
  return {
    pending: updates.pending,
    async next() {
      const update = isOver ? undefined : await updates.next()
      if (update === undefined || isOver) {
        await end()
        return undefined
      }
      context.incrementalCost?.add(update)
      const followed: ExecutionUpdate = {
        ...update,
        incremental: update.incremental.map((result) => ({ ...result, errors: masked(result.errors) })),
        completed: update.completed.map((each) =>
          each.errors === undefined ? each : { of: each.of, errors: masked(each.errors) },
        ),
      }
      if (update.hasNext) return followed
      const extensions = await end()
      return extensions === undefined ? followed : { ...followed, extensions }
    },
    close() {
      void end()
    },
  }
}
