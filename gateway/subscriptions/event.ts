/**
 * Makes the result of one event as the pipeline does for a query: it is priced, executed as a request of its own,
 * booked, masked and reported.
 */
import { GraphQLError } from 'graphql'
import { responseBody, type SourceEvent } from '../../engine/index.ts'
import { createGatewayRequest } from '../../engine/request.ts'
import type { ErrorBehavior } from '../../shared/graphql/error-behavior.ts'
import type { Identity } from '../../shared/identity.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'
import type { CallRecord } from '../../shared/request.ts'
import type { GrantedOperation, Operation } from '../auth/granted-operation.ts'
import { notPriced } from '../costs/pricing.ts'
import { isEventId } from '../graphql-http/streaming/index.ts'
import { answerHook, dataOf, type PipelineOptions, type Result } from '../pipeline/index.ts'
import { maskError } from '../pipeline/mask.ts'
import { statusOf } from '../pipeline/result-status.ts'
import { headerOfSubscriber, namesOfSubscriber } from './permission.ts'
import type { Subscriber } from './subscriber.ts'

/** `timeoutMs`: the most time for the result of one event. */
export type EventOptions = Pick<
  PipelineOptions,
  'pricing' | 'demand' | 'timeoutMs' | 'log' | 'traces' | 'hooks'
>

interface EventInput {
  readonly granted: GrantedOperation
  readonly variables: Readonly<Record<string, unknown>>
  readonly event: SourceEvent
  readonly id: string
  readonly onError: ErrorBehavior
  /** For all who get it. */
  readonly subscriber: Subscriber
  readonly operation: Operation
  readonly identity: Identity
  /** Extensions in addition to those of the event. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined
}

/** The result as JSON. Never rejects. */
export function eventResult(options: EventOptions, input: EventInput): Promise<Buffer> {
  const { traces } = options
  const header = (name: string): string | undefined => headerOfSubscriber(input.subscriber, name)
  const { name } = input.granted.operation
  return traces === undefined
    ? resultOf(options, input, undefined)
    : traces.request(header, (span) => {
        span.rename(`event${name === undefined ? '' : ` ${name}`}`)
        return resultOf(options, input, span.traceId)
      })
}

async function resultOf(
  options: EventOptions,
  input: EventInput,
  traceId: string | undefined,
): Promise<Buffer> {
  const { log } = options
  const { granted, event } = input
  let result: Result<JsonText>
  try {
    result = await execute(options, input)
  } catch (error) {
    result = { data: null, errors: [maskError(error, input.id, log, traceId)] }
  }
  if (granted.allowed === null) result = { ...result, data: null }
  const errors = result.errors?.map((error) => maskError(error, input.id, log, traceId)) ?? []
  const reported = granted.report === undefined ? errors : [...errors, ...granted.report]
  // A position that the client cannot send back would be refused when it resumes.
  const hasId = event.id !== undefined && isEventId(event.id)
  const own = hasId ? { eventId: event.id, ...event.extensions } : event.extensions
  const extensions =
    own === undefined && input.extensions === undefined
      ? result.extensions
      : { ...input.extensions, ...own, ...result.extensions }
  const { data } = result
  const whole = { data, ...(reported.length === 0 ? {} : { errors: reported }), extensions }
  return bytesOfJson(responseBody(await seenByHooks(whole, options, input, traceId)))
}

async function seenByHooks(
  result: Result<JsonText>,
  { hooks, log }: EventOptions,
  { id, identity, operation, subscriber }: EventInput,
  traceId: string | undefined,
): Promise<Result<JsonText>> {
  const { hooked } = subscriber
  if (hooks?.answer === undefined || hooked === undefined) return result
  const about = { id, identity, operation, traceId }
  const status = statusOf(result, 'application/graphql-response+json')
  return answerHook(hooks.answer, { hooked, result, about, status, log })
}

async function execute(
  { pricing, demand, timeoutMs, hooks }: EventOptions,
  { granted, variables, event, id, onError, subscriber, identity }: EventInput,
): Promise<Result<JsonText>> {
  const calls: CallRecord[] = []
  const request = createGatewayRequest({
    id,
    deadline: performance.now() + timeoutMs,
    header: (name) => headerOfSubscriber(subscriber, name),
    names: () => namesOfSubscriber(subscriber),
    identity,
    onError,
    meter: { records: calls, call: (record) => calls.push(record) },
  })
  const { hooked } = subscriber
  if (hooked !== undefined) {
    hooked.started = performance.now()
    hooks?.attach(request, hooked)
  }
  const cost = demand?.admit(granted, variables)
  if (cost instanceof GraphQLError) return { data: null, errors: [cost] }
  const priced = (await pricing?.reserve(granted, variables, request)) ?? notPriced
  if (priced instanceof GraphQLError) return { data: null, errors: [priced] }
  try {
    const result = await granted.compiled.executeToJson(variables, request, event)
    if (demand !== undefined && cost !== undefined)
      demand.measure(cost, granted, variables, () => dataOf(result.data))
    return result
  } finally {
    await pricing?.book(priced, request, calls)
  }
}
