/**
 * Executes the operation: whole, in pieces, or as a subscription that begins. What it took is booked, however it ends,
 * and reported to a caller who asks.
 */
import { cacheHeader } from '../../response-cache/index.ts'
import { maskError } from '../mask.ts'
import type { OperationContext } from '../operation-context.ts'
import type { Executor, Result } from '../sent.ts'
import { book, costHead, laterPrice, quotaOf } from '../settle.ts'
import { known, type Parts, type Step, type StepResult } from '../step.ts'

export const execute = {
  name: 'execute',
  async run(context: OperationContext, parts: Parts): Promise<StepResult> {
    const { params, variables } = context
    const granted = known(context.granted)
    // Of a request that was refused nothing is kept.
    const kept = params.extensions === undefined ? undefined : parts.documents.keep(params)
    if (kept !== undefined) await kept
    const isQuery = granted.operation.definition.operation === 'query'
    if (isQuery && context.header(cacheHeader) !== undefined)
      context.cache = parts.reportCache?.(context, { isDry: false })
    let result: Result<unknown> | undefined
    try {
      result = await executorOf(context, parts)(granted, variables, context)
    } finally {
      const booked = result?.pieces === undefined ? book(context, parts) : undefined
      if (booked !== undefined) await booked
    }
    if (context.replayed) context.addHead(['idempotency-replayed', 'true'])
    // Nothing is left of the operation: its nulls say nothing, and the status says why. That is 401 or 403, which go
    // with an entry `data` by the edition of 2025 alone.
    if (granted.allowed === null)
      result = { ...result, data: parts.httpProfile === '2025' ? null : undefined }
    if (result.pieces !== undefined) context.later = laterPrice(context, parts, result)
    const quota = result.pieces === undefined ? quotaOf(context, parts) : undefined
    const told = withReports(context, parts, result, quota && (await quota))
    return masked(context, parts, told)
  },
} satisfies Step

function executorOf(context: OperationContext, { hooks, executors }: Parts): Executor<unknown> {
  const { sent, idempotencyKeys } = context
  const { compiled, allowed, operation } = known(context.granted)
  // If nothing is left to subscribe to, the result says why.
  if (operation.definition.operation === 'subscription' && allowed !== null && sent.subscribe !== undefined)
    return sent.subscribe
  // A hook that sees answers sees them whole, and only whole ones are kept under an idempotency key.
  const isWhole = hooks?.answer !== undefined || idempotencyKeys !== undefined
  if (sent.takesPieces === true && !isWhole && compiled.executeInPieces !== undefined)
    return executors.inPieces
  return executors[sent.form.kind]
}

/** With what the caller asks to know of the price and of the cache. */
function withReports(
  context: OperationContext,
  parts: Parts,
  result: Result<unknown>,
  quota: object | undefined,
): Result<unknown> {
  const { cache, operation } = context
  // What later pieces hold is not known yet; the events of a subscription are measured one by one.
  const isPart = result.pieces !== undefined || operation?.definition.operation === 'subscription'
  const cost = costHead(context, parts, isPart ? undefined : (result.data ?? null))
  if (quota === undefined && cost === undefined && cache === undefined) return result
  // The units of a report take the place of what the executor had to say.
  const before = quota === undefined ? result.extensions : { quota }
  return {
    ...result,
    extensions: {
      ...before,
      ...(cost === undefined ? {} : { cost }),
      ...(cache === undefined ? {} : { cache: cache.fetches }),
    },
  }
}

/** With errors as a client may see them, and those that are only reported. */
function masked(
  { id, traceId, granted }: OperationContext,
  { log }: Parts,
  result: Result<unknown>,
): Result<unknown> {
  const report = granted?.report
  if (result.errors === undefined && report === undefined) return result
  const errors = result.errors?.map((error) => maskError(error, id, log, traceId)) ?? []
  return { ...result, errors: report === undefined ? errors : [...errors, ...report] }
}
