/**
 * The one way of an operation through the gateway: authenticate, read the document, prepare, authorize, price,
 * execute, report. It knows no HTTP server: our own server and Apollo Server both run it. It never throws: whatever
 * fails becomes errors with codes, and a status.
 */
import { GraphQLError } from 'graphql'
import { createWhole } from '../../engine/executor/incremental/index.ts'
import { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
import { tesseraError } from '../../shared/errors.ts'
import { callerContext } from '../../shared/http/trace-context.ts'
import type { CallRecord } from '../../shared/request.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { type Challenged, challengeOf } from '../auth/challenge/index.ts'
import { type GrantedOperation, isRefused } from '../auth/operation.ts'
import { costHeader, type Demand } from '../costs/demand/index.ts'
import { checkValue, type Limits } from '../costs/limits/index.ts'
import { explainHeader, notPriced, type Pricing, quotaHeader } from '../costs/pricing.ts'
import type { RateLimiter } from '../costs/rate/index.ts'
import { HookRefusal, type HookState, type Stages } from '../hooks/index.ts'
import { type CacheReport, cacheHeader, type reportCache as noteCache } from '../response-cache/index.ts'
import { clientOf } from '../telemetry/clients.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { RequestSpan, Traces } from '../telemetry/traces/index.ts'
import { answerHook, hookOperation } from './answer-hook.ts'
import { policyOf } from './answer-policy.ts'
import { followPieces } from './follow-pieces.ts'
import { idempotencyHeader, idempotencyKeysOf } from './idempotency/keys.ts'
import { maskError } from './mask.ts'
import type { MediaType } from './operation-params.ts'
import type { Executor, OperationRequest, OperationResponse, Result } from './operation-request.ts'
import type { Operations } from './operations.ts'
import type { DocumentReader } from './persisted/index.ts'
import { codesOf, createReport, type Observing, type Report } from './report.ts'
import { addHead, type RequestState } from './request-state.ts'
import { dataOf } from './result-data.ts'
import { type HttpProfile, methodNotAllowed, statusOf } from './result-status.ts'

export interface PipelineOptions {
  readonly authenticator: Authenticator
  readonly documents: DocumentReader
  readonly operations: Operations
  readonly limits: Limits
  readonly timeoutMs: number
  /** The units that operations cost, where services sell some; without it nothing is explained. */
  readonly pricing?: Pricing | undefined
  /** What operations cost by `@cost`, if that is measured. */
  readonly demand?: Demand | undefined
  /** How much may be asked for in a time, if that is limited. */
  readonly rateLimits?: RateLimiter | undefined
  /** The hooks of the gateway's operator, if there are any. */
  readonly hooks?: Stages | undefined
  readonly metrics: Metrics
  readonly traces?: Traces | undefined
  readonly log: Logger
  /** The status of a result; what its errors say unless given. */
  readonly statusOf?: typeof statusOf | undefined
  /** The edition of GraphQL over HTTP; 2025 unless given. */
  readonly httpProfile?: HttpProfile | undefined
  /** The status of an operation of which authorization leaves nothing; 401 or 403 unless given. */
  readonly refusedStatus?: 'auto' | '200' | undefined
  /** Counts the operations that are under way, so that what they use is closed after them. */
  readonly underWay?: UnderWay | undefined
  /** How requests are reported to log and traces; as usual unless given. */
  readonly observing?: Observing | undefined
  /** Reports requests instead of that. */
  readonly report?: Report | undefined
  /** The headers that rules take from subgraphs' answers for the client. */
  readonly answerHead?: ((request: GatewayRequest) => readonly string[] | undefined) | undefined
  /** Notes what the cache of subgraphs' answers does for a request, if there is one. */
  readonly reportCache?: typeof noteCache | undefined
}

export interface UnderWay {
  begin(): void
  end(): void
}

/** Operations with `@defer` or `@stream` are run by `inPieces`, if that is given. */
export type Pipeline = <Data>(
  request: OperationRequest,
  execute: Executor<Data>,
  inPieces?: Executor<Data>,
) => Promise<OperationResponse<Data>>

export function createPipeline(options: PipelineOptions): Pipeline {
  const {
    authenticator,
    documents,
    operations,
    limits,
    timeoutMs,
    pricing,
    demand,
    rateLimits,
    hooks,
    metrics,
    traces,
    log,
    underWay,
    answerHead,
    reportCache,
    refusedStatus,
    httpProfile = '2025',
  } = options
  const report = options.report ?? createReport(metrics, log, options.observing)
  const statusFor = (result: Parameters<typeof statusOf>[0], type: MediaType): number =>
    (options.statusOf ?? statusOf)(result, type, httpProfile)

  /** What of the operation is kept, found out without asking any subgraph; undefined if nothing is kept. */
  async function explainCache(
    { compiled }: GrantedOperation,
    variables: Readonly<Record<string, unknown>>,
    running: GatewayRequest,
  ): Promise<CacheReport['fetches'] | undefined> {
    const dry = reportCache?.(running, { isDry: true })
    if (dry === undefined) return undefined
    await compiled.execute(variables, running)
    return dry.fetches
  }

  async function respond<Data>(
    sent: OperationRequest,
    execute: Executor<Data>,
    inPieces: Executor<Data> | undefined,
    state: RequestState,
    hooked: HookState | undefined,
  ): Promise<Result<Data>> {
    let request = sent
    if (hooked !== undefined && hooks?.request !== undefined) {
      const seen = await hooks.request(hooked)
      if (seen instanceof HookRefusal) return refusedBy(seen, state)
      request = { ...sent, header: seen.header, headers: seen.headers }
    }
    const authenticated =
      request.identity?.() ?? authenticator.authenticate(request.header('authorization'), request)
    let identity = authenticated instanceof Promise ? await authenticated : authenticated
    if (hooked !== undefined && hooks?.identity !== undefined) {
      const seen = await hooks.identity(hooked, identity)
      if (seen instanceof HookRefusal) return refusedBy(seen, state)
      identity = seen
    }
    state.identity = identity
    const params = request.params()
    const read = documents.read(params)
    const deadline = performance.now() + timeoutMs
    const text = typeof read === 'string' ? read : await read
    const preparing = operations.get(text, params.operationName, deadline)
    const operation = preparing instanceof Promise ? await preparing : preparing
    if (isRefused(operation)) return { errors: operation }
    state.operation = operation
    state.isNamed = params.query === undefined
    if (identity.tokenFault !== undefined && !operation.requirements.open) throw identity.tokenFault
    const { operation: kind } = operation.definition
    if (request.queriesOnly && kind === 'mutation') {
      throw methodNotAllowed('A GET request can only be a query; send a mutation by POST.')
    }
    let variables = params.variables ?? {}
    const checkVariables = (): void => {
      const tooLarge = checkValue(variables, limits) ?? operation.checkValues?.(variables)
      if (tooLarge !== undefined) throw tooLarge
    }
    checkVariables()
    const permission = operation.grantedTo(identity, deadline, hooked)
    const granted = permission instanceof Promise ? await permission : permission
    if (isRefused(granted)) return { errors: granted }
    state.granted = granted
    if (request.refusesParts === true && granted.refusals.length > 0) return { errors: refusedParts(granted) }
    if (hooked !== undefined && hooks?.operation !== undefined) {
      const about = { identity, operation: hookOperation(operation), variables }
      const seen = await hooks.operation(hooked, about)
      if (seen instanceof HookRefusal) return refusedBy(seen, state)
      if (seen !== variables) {
        variables = seen
        checkVariables()
      }
    }
    const { calls } = state
    /** A call that others have shared may end after the operation that pays for it. */
    let late: ((record: CallRecord) => void) | undefined
    const running = createGatewayRequest({
      meter: {
        records: calls,
        call(record) {
          calls.push(record)
          late?.(record)
        },
      },
      id: request.id,
      deadline,
      header: request.header,
      headers: request.headers,
      names: request.names,
      identity,
      idempotencyKeys:
        operation.definition.operation === 'mutation'
          ? idempotencyKeysOf(request.header(idempotencyHeader), params.extensions?.idempotencyKey)
          : undefined,
    })
    request.started?.(running)
    state.running = running
    if (hooked !== undefined) {
      hooks?.attach(running, hooked)
      await hooks?.labels?.(hooked, running)
    }
    const explains = pricing !== undefined && request.header(explainHeader) !== undefined
    const cost = explains ? undefined : demand?.before(granted, variables)
    if (cost instanceof GraphQLError) return { errors: [cost] }
    if (!explains && kind === 'subscription' && request.takesEvents !== true) throw withoutEvents()
    if (rateLimits !== undefined) {
      const { name, definition, hash } = operation
      const { refusal, head } = await rateLimits.take({
        identity,
        operation: { name, type: definition.operation, hash },
        header: request.header,
        address: request.peer?.(),
        cost: () => cost?.estimated ?? 0,
        // Nothing that services sell is spent on an explanation; it is a request like any other.
        units: () => (explains ? 0 : (pricing?.units(granted, variables) ?? 0)),
      })
      addHead(state, ...head)
      if (refusal !== undefined) return { errors: [refusal] }
    }
    if (explains) {
      const explain = await pricing.explain(granted, variables)
      const price = demand?.explain(granted, variables)
      const cache = kind === 'query' ? await explainCache(granted, variables, running) : undefined
      return {
        extensions: {
          explain: {
            ...explain,
            ...(price === undefined ? {} : { cost: price }),
            ...(cache === undefined ? {} : { cache }),
          },
        },
      }
    }
    const pricedOrNot = pricing?.before(granted, variables, running) ?? notPriced
    const priced = pricedOrNot instanceof Promise ? await pricedOrNot : pricedOrNot
    if (priced instanceof GraphQLError) return { errors: [priced] }
    // Of a request that was refused nothing is stored.
    const kept = params.extensions === undefined ? undefined : documents.keep(params)
    if (kept !== undefined) await kept
    const cached =
      kind === 'query' && request.header(cacheHeader) !== undefined
        ? reportCache?.(running, { isDry: false })
        : undefined
    let result: Result<Data>
    let isInPieces = false
    const settle = async (): Promise<void> => {
      late = (record) => void pricing?.after(priced, running, [record])?.catch(() => {})
      const booked = pricing?.after(priced, running, [...calls])
      if (booked !== undefined) await booked
    }
    try {
      // A hook that sees answers sees them whole, and only whole ones are kept under an idempotency key.
      const isWhole = hooks?.answer !== undefined || running.idempotencyKeys !== undefined
      const way = isWhole || granted.compiled.executeInPieces === undefined ? undefined : inPieces
      result = await (way ?? execute)(granted, variables, running)
      isInPieces = result.pieces !== undefined
    } finally {
      if (!isInPieces) await settle()
    }
    /** Works out what the data cost, and reports it to the caller; undefined if that is nothing. */
    const priceOf = (data: unknown) => {
      if (demand === undefined || cost === undefined) return undefined
      if (data !== undefined) demand.after(cost, granted, variables, () => dataOf(data))
      return demand.report(cost, request.header(costHeader) !== undefined)
    }
    const asksForQuota = pricing !== undefined && request.header(quotaHeader) !== undefined
    if (isInPieces) {
      const whole = demand?.isMeasured === true ? createWhole(dataOf(result.data)) : undefined
      state.later = {
        took: (batch) => whole?.add(batch),
        async settle() {
          await settle()
          const price = whole === undefined ? undefined : priceOf(whole.data)
          const extensions = {
            ...(asksForQuota ? { quota: await pricing.report(priced, running, calls) } : {}),
            ...(price === undefined ? {} : { cost: price.extension }),
          }
          return Object.keys(extensions).length === 0 ? undefined : extensions
        },
      }
    }
    if (running.replayed) addHead(state, 'idempotency-replayed', 'true')
    // Nothing is left of the operation: its nulls say nothing, and the status says why. That is 401 or 403, which go
    // with an entry `data` by the edition of 2025 alone.
    if (granted.allowed === null) result = { ...result, data: httpProfile === '2025' ? null : undefined }
    const quota = asksForQuota && !isInPieces ? await pricing.report(priced, running, calls) : undefined
    let reported = quota === undefined ? result : { ...result, extensions: { quota } }
    // What later pieces hold is not known yet; the events of a subscription are measured one by one.
    const price = priceOf(isInPieces || kind === 'subscription' ? undefined : (result.data ?? null))
    if (price !== undefined) {
      reported = { ...reported, extensions: { ...reported.extensions, cost: price.extension } }
      addHead(state, costHeader, price.header)
    }
    if (cached !== undefined)
      reported = { ...reported, extensions: { ...reported.extensions, cache: cached.fetches } }
    if (result.errors === undefined && granted.report === undefined) return reported
    const errors = result.errors?.map((error) => maskError(error, request.id, log, state.traceId)) ?? []
    return { ...reported, errors: granted.report === undefined ? errors : [...errors, ...granted.report] }
  }

  async function run<Data>(
    request: OperationRequest,
    execute: Executor<Data>,
    inPieces?: Executor<Data>,
    span?: RequestSpan,
  ): Promise<OperationResponse<Data>> {
    const started = performance.now()
    underWay?.begin()
    const traceId = span?.traceId ?? callerContext(request.header('traceparent'))?.traceId
    const state: RequestState = {
      operation: undefined,
      identity: undefined,
      codes: noCodes,
      errors: 0,
      isNamed: false,
      calls: [],
      traceId,
      running: undefined,
      later: undefined,
      granted: undefined,
      client: clientOf(request.header),
      head: undefined,
    }
    const hooked = hooks?.begin(request)
    let result: Result<Data>
    try {
      result = await respond(request, execute, inPieces, state, hooked)
    } catch (error) {
      result = { errors: [maskError(error, request.id, log, traceId)] }
    }
    // Each event of a subscription that has begun is an answer; its beginning is none.
    const hasBegun = request.takesEvents === true && isSubscription(state) && result.data != null
    if (hooked !== undefined && hooks?.answer !== undefined && !hasBegun)
      result = await answerHook(hooks.answer, {
        ...{ hooked, result, state, log },
        request,
        status: statusFor(result, request.mediaType),
      })
    let status = 200
    let challenged: Challenged | undefined
    if (result.errors !== undefined) {
      status = statusFor(result, request.mediaType)
      state.codes = codesOf(result.errors)
      state.errors = result.errors.length
      if (status === 401 || status === 403) challenged = challengeOf(result.errors, state.identity)
      if (challenged !== undefined) status = challenged.status
      if (challenged !== undefined && refusedStatus === '200' && isRefusedWhole(result.errors)) {
        result = { ...result, data: null }
        status = httpProfile === '2025' ? 200 : statusFor(result, request.mediaType)
      }
    }
    // The span lasts as long as the pieces come.
    const release = result.pieces === undefined ? undefined : span?.hold()
    const over = (): void => {
      report(request, state, status, performance.now() - started, span)
      release?.()
      underWay?.end()
    }
    if (result.pieces !== undefined) metrics.firstPart(performance.now() - started)
    const pieces =
      result.pieces === undefined
        ? undefined
        : followPieces(result.pieces, {
            took: (batch) => state.later?.took(batch),
            cancel: () => state.running?.cancel(),
            mask: (error) => maskError(error, request.id, log, traceId),
            async over(errors) {
              try {
                return await state.later?.settle()
              } finally {
                state.errors += errors.length
                if (errors.length > 0) state.codes = [...new Set([...state.codes, ...codesOf(errors)])]
                over()
              }
            },
          })
    if (pieces === undefined) over()
    const ruled =
      answerHead === undefined || state.running === undefined ? undefined : answerHead(state.running)
    const head = ruled === undefined ? state.head : [...(state.head ?? []), ...ruled]
    // It is unknown by what hooks decide: what they let through is for the one who asked.
    const policy =
      hooked === undefined ? policyOf(state.operation, state.running?.answerPolicy, result) : undefined
    return { status, result, pieces, challenge: challenged?.challenge, calls: state.calls, policy, head }
  }

  if (traces === undefined) return run
  return (request, execute, inPieces) =>
    traces.request(request.header, (span) => run(request, execute, inPieces, span))
}

const withoutEvents = (): GraphQLError =>
  tesseraError(
    'BAD_REQUEST',
    'A subscription is answered with text/event-stream, with multipart/mixed;subscriptionSpec=1.0, or over a WebSocket of graphql-transport-ws.',
    { status: 406 },
  )

const noCodes: readonly string[] = []

/** Whether the scopes of the caller are all that is lacking: a refused token is not among it. */
function isRefusedWhole(errors: readonly GraphQLError[]): boolean {
  return errors.every(({ extensions }) => extensions.code === 'UNAUTHORIZED_FIELD_OR_TYPE')
}

/** What is refused of an operation, each once. */
function refusedParts({ refusals }: GrantedOperation): readonly GraphQLError[] {
  const distinct = new Map(refusals.map((refusal) => [refusal.message, refusal]))
  return [...distinct.values()].map(
    ({ message, extensions }) => new GraphQLError(message, { extensions: { ...extensions } }),
  )
}

function refusedBy<Data>({ error, head }: HookRefusal, state: RequestState): Result<Data> {
  addHead(state, ...head)
  return { errors: [error] }
}

const isSubscription = ({ operation }: RequestState): boolean =>
  operation?.definition.operation === 'subscription'
