/**
 * Runs an operation through the steps of `steps/index.ts`, with the operator's hooks between them. The pipeline knows no
 * HTTP server: our own server, Apollo Server and every other host call it. It never throws. Every failure becomes errors
 * with codes, and a status.
 */
import type { NormalisedOperation } from '../../engine/operation/normalised.ts'
import type { CachePolicy } from '../../engine/request.ts'
import type { Operation } from '../auth/granted-operation.ts'
import { createExecutors } from './executors.ts'
import { withHooks } from './hook-steps.ts'
import { maskError } from './mask.ts'
import type { OperationContext } from './operation-context.ts'
import type { OperationResponse, Result } from './operation-request.ts'
import { createReport } from './report.ts'
import { statusOf } from './result-status.ts'
import { known, type PipelineComponents, type PipelineOptions } from './step.ts'
import { steps } from './steps/index.ts'

export type Pipeline = <Data>(context: OperationContext<Data>) => Promise<OperationResponse<Data>>

export function createPipeline(options: PipelineOptions): Pipeline {
  const { metrics, log, observing, traces, underWay, hooks, httpProfile = '2025' } = options
  const status = options.statusOf ?? statusOf
  const components: PipelineComponents = {
    ...options,
    httpProfile,
    statusFor: (result, type) => status(result, type, httpProfile),
    executors: createExecutors(options),
    report: options.report ?? createReport(metrics, log, observing),
  }
  const way = withHooks(steps, hooks)

  async function run<Data>(context: OperationContext<Data>): Promise<OperationResponse<Data>> {
    underWay?.begin()
    for (const step of way) {
      if (context.result !== undefined && step.always !== true) continue
      try {
        const made = step.run(context, components)
        const result = made instanceof Promise ? await made : made
        if (result !== undefined) context.result = result
      } catch (error) {
        context.result = { errors: [maskError(error, context.id, log, context.traceId)] }
      }
    }
    return responseOf(context, hooks !== undefined)
  }

  if (traces === undefined) return run
  return (context) =>
    traces.request(
      (name) => context.sent.header(name),
      (span) => {
        context.span = span
        context.traceId = span.traceId
        context.isSampled = span.isSampled
        return run(context)
      },
    )
}

function responseOf<Data>(context: OperationContext<Data>, isHooked: boolean): OperationResponse<Data> {
  const { status, subsequentResults, challenge, records: calls, head, operation, cachePolicy } = context
  // The caller's form decides the type of the data.
  const result = known(context.result) as Result<Data>
  // Hooks may decide by anything in the request, so a response that passed them is for its caller only.
  const policy = isHooked ? undefined : policyOf(operation, cachePolicy, result)
  return { status, result, subsequentResults, challenge, calls, policy, head }
}

/** `max-age` counts whole seconds, so a shorter time cannot be said. */
const leastMs = 1000

/**
 * The shortest policy of all parts of the response; private if authorization decides what the caller sees. Undefined if
 * the response may not be kept: mutations, errors, and parts without a policy.
 */
function policyOf(
  operation: Operation | undefined,
  policy: CachePolicy | undefined,
  { errors, extensions, updates }: Pick<Result<unknown>, 'errors' | 'extensions' | 'updates'>,
): CachePolicy | undefined {
  if (operation === undefined || policy === undefined || policy.freshMs < leastMs) return undefined
  if (errors !== undefined || extensions !== undefined || updates !== undefined) return undefined
  if (operation.normalised.kind !== 'query' || asksForSchema(operation.normalised)) return undefined
  return operation.requirements.open ? policy : { ...policy, isPrivate: true }
}

/** The schema changes with a reload, which no header could announce. */
function asksForSchema({ selections }: NormalisedOperation): boolean {
  return selections.some(({ field: { name } }) => name === '__schema' || name === '__type')
}
