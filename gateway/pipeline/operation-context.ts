/**
 * One operation on its way through the gateway: what the client sent, and the result of each step. The engine and hooks
 * see it as their request, and log, metrics and traces report it.
 */
import type { ExecutionUpdate } from '../../engine/executor/incremental/index.ts'
import { EngineRequest, type GatewayRequest, type RecordingMeter } from '../../engine/request.ts'
import { callerContext } from '../../shared/http/trace-context.ts'
import type { CallRecord } from '../../shared/request.ts'
import type { Challenge } from '../auth/challenge.ts'
import type { GrantedOperation, Operation } from '../auth/granted-operation.ts'
import type { Cost } from '../costs/demand/index.ts'
import { notPriced, type Priced } from '../costs/pricing.ts'
import { type Hooked, headersForHooks, noLabels } from '../hooks/index.ts'
import type { CacheReport } from '../response-cache/index.ts'
import { type Client, clientOf } from '../telemetry/clients.ts'
import type { RequestSpan } from '../telemetry/traces/index.ts'
import type { OperationParams, OperationRequest, Result, SubsequentResults } from './operation-request.ts'

type Json = Readonly<Record<string, unknown>>

export class OperationContext<Data = unknown>
  extends EngineRequest
  implements GatewayRequest, Hooked, RecordingMeter
{
  readonly sent: OperationRequest<Data>
  /** When it began; hooks of a subscription set it to when its event did. */
  started = performance.now()
  readonly meter: RecordingMeter = this
  readonly records: CallRecord[] = []
  readonly resumeAfter: undefined = undefined
  readonly client: Client | undefined
  /** The ID of its trace: our own if traces are kept, otherwise the caller's. */
  traceId: string | undefined
  /** Whether that trace is sampled, as far as is known here. */
  isSampled: boolean
  /** The root span of our own trace, if traces are kept. */
  span: RequestSpan | undefined = undefined
  /** The parameters as the client sent them; read before the document. */
  params: OperationParams = nothingSent
  text: string | undefined = undefined
  /** Undefined until it is prepared. */
  operation: Operation | undefined = undefined
  /** The operation as the caller may run it; undefined until that is known. */
  granted: GrantedOperation | undefined = undefined
  variables: Json = noVariables
  /** Whether it is only explained, not executed. */
  isExplained = false
  /** What it costs by `@cost`, if that is measured. */
  cost: Cost | undefined = undefined
  /** The units that are reserved for it. */
  priced: Priced = notPriced
  /** What the cache of subgraphs' answers did for it, if the caller asks. */
  cache: CacheReport | undefined = undefined
  /** Receives calls that end after its units were booked, because other operations share them. */
  onLateCall: ((record: CallRecord) => void) | undefined = undefined
  /** The price of an incremental response. */
  incrementalCost: IncrementalCost | undefined = undefined
  /** The result. The steps after the one that makes it are skipped, except those that always run. */
  result: Result<unknown> | undefined = undefined
  subsequentResults: SubsequentResults | undefined = undefined
  status = 200
  challenge: Challenge | undefined = undefined
  /** Whether it is a mutation of which a part may have been made: a challenge would make its client repeat it. */
  isMadeInPart = false
  codes: readonly string[] = noCodes
  /** How many errors the answer has. */
  errors = 0
  /** Headers of the answer, names and values in turn; undefined if there are none. */
  head: string[] | undefined = undefined
  labels: ReadonlySet<string> = noLabels
  #remembered: Map<string, unknown> | undefined = undefined
  #changes: ReadonlyMap<string, string | undefined> | undefined = undefined

  constructor(sent: OperationRequest<Data>) {
    // Its time begins when its document is known.
    super(sent.id, Number.POSITIVE_INFINITY)
    this.sent = sent
    this.client = clientOf(sent)
    const trace = callerContext(sent.header('traceparent'))
    this.traceId = trace?.traceId
    this.isSampled = trace?.isSampled === true
  }

  get method(): string | undefined {
    return this.sent.method
  }

  get url(): string | undefined {
    return this.sent.url
  }

  peer(): string | undefined {
    return this.sent.peer?.()
  }

  address(): string | undefined {
    return this.sent.address?.()
  }

  certificate(): Buffer | undefined {
    return this.sent.certificate?.()
  }

  body(): Buffer | undefined {
    return this.sent.body?.()
  }

  get usedProofs(): OperationRequest<Data>['usedProofs'] {
    return this.sent.usedProofs
  }

  /** A header of the caller, by its lower-case name, as hooks left it. */
  header(name: string): string | undefined {
    const changes = this.#changes
    return changes?.has(name) === true ? changes.get(name) : this.sent.header(name)
  }

  headerNames(): readonly string[] {
    const { sent } = this
    if (this.#changes !== undefined) return Object.keys(this.#headers())
    return sent.names?.() ?? Object.keys(sent.headers ?? {})
  }

  /** Whether the client named the document by its hash alone. */
  get isNamed(): boolean {
    return this.params !== nothingSent && this.params.query === undefined
  }

  /** Whether it is a subscription whose events have begun: each of them is an answer, its beginning is none. */
  get hasBegun(): boolean {
    return (
      this.sent.subscribe !== undefined &&
      this.operation?.normalised.kind === 'subscription' &&
      this.result?.data != null
    )
  }

  call(record: CallRecord): void {
    this.records.push(record)
    this.onLateCall?.(record)
  }

  /** `headers`: names and values in turn. */
  addHead(headers: readonly string[]): void {
    if (headers.length === 0) return
    this.head ??= []
    this.head.push(...headers)
  }

  get event(): Hooked['event'] {
    this.#remembered ??= new Map()
    return { id: this.id, context: this.#remembered, headers: headersForHooks(this.#headers()) }
  }

  changeHeaders(changes: ReadonlyMap<string, string | undefined>): void {
    this.#changes = this.#changes === undefined ? changes : new Map([...this.#changes, ...changes])
  }

  #headers(): Json {
    const { headers = {} } = this.sent
    if (this.#changes === undefined) return headers
    const all = { ...headers, ...Object.fromEntries(this.#changes) }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }
}

/** The cost of an incremental response, which is known with its last part. */
export interface IncrementalCost {
  add(update: ExecutionUpdate): void
  /** Settles it; resolves with extensions of the last result. */
  settle(): Promise<Json | undefined>
}

const nothingSent: OperationParams = {
  query: undefined,
  operationName: undefined,
  variables: undefined,
  extensions: undefined,
}
const noVariables: Json = Object.freeze({})
const noCodes: readonly string[] = []
