/**
 * Spans by OpenTelemetry's SDK, with our own provider: several gateways of one process do not share one. The current
 * span follows the asynchronous context; if a lookup is shared, its call belongs to the first request.
 *
 * All spans of a request use one clock. The SDK reads the date for each span, in whole milliseconds, so that a span
 * could end before one that it contains.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { callerContext, traceOfRequest } from '../../../shared/http/trace-context.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall, UpstreamEvent } from '../../../shared/upstream.ts'
import { Collector, closeInTime } from '../collector.ts'
import type { Logger } from '../log.ts'
import type { TracesSettings } from '../settings.ts'
import { version } from '../version.ts'

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The span of a request, for data that are known only at its end. */
export interface RequestSpan {
  readonly traceId: string
  /** Whether the trace is kept. */
  readonly isSampled: boolean
  /** The span ends when the returned function is called, and not with the code that runs under it. */
  hold(): () => void
  rename(name: string): void
  set(attributes: Attributes): void
  /** With the codes of the errors in the response. */
  failed(codes: readonly string[]): void
}

/** Spans that wait to be sent; more are dropped. */
const mostWaiting = 4096

const words = {
  lost: 'traces cannot be sent: until they can, they are dropped',
  back: 'traces are sent again',
}

/** A span under way, and the clock of its request. */
interface ActiveSpan {
  readonly span: Span
  /** Milliseconds since the epoch, with fractions. */
  readonly now: () => number
}

/** Begins with the date, and continues with the process's monotonic clock: it never goes back. */
function createClock(): () => number {
  const offset = Date.now() - performance.now()
  return () => offset + performance.now()
}

export class Traces {
  readonly #provider
  readonly #tracer
  readonly #active = new AsyncLocalStorage<ActiveSpan>()
  readonly #calls = new Map<UpstreamCall, ActiveSpan>()

  constructor(settings: TracesSettings & { readonly url: string }, log: Logger) {
    const { sampler, attributes } = settings
    const root = new TraceIdRatioBasedSampler(sampler.ratio)
    const exporter = new Collector<ReadableSpan[]>({ ...settings, words }, JsonTraceSerializer, log)
    this.#provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.version': version, ...attributes }),
      sampler: sampler.parentBased ? new ParentBasedSampler({ root }) : root,
      spanProcessors: [
        new BatchSpanProcessor(exporter, { maxQueueSize: mostWaiting, scheduledDelayMillis: 1000 }),
      ],
    })
    this.#tracer = this.#provider.getTracer('tessera')
  }

  /** Runs a request under a span that continues the caller's trace. */
  async request<T>(
    header: (name: string) => string | undefined,
    run: (span: RequestSpan) => Promise<T>,
  ): Promise<T> {
    const now = createClock()
    const options = { kind: SpanKind.SERVER, startTime: now() }
    const span = this.#tracer.startSpan('graphql', options, contextBelow(contextOfCaller(header)))
    const running: ActiveSpan = { span, now }
    let isHeld = false
    try {
      return await this.#active.run(running, () =>
        run({
          traceId: span.spanContext().traceId,
          isSampled: span.isRecording(),
          hold: () => {
            isHeld = true
            span.addEvent('first part', now())
            return () => end(running)
          },
          rename: (name) => span.updateName(name),
          set: (attributes) => span.setAttributes({ ...attributes }),
          failed: (codes) => failSpan(span, codes.join(',')),
        }),
      )
    } finally {
      if (!isHeld) end(running)
    }
  }

  /** Runs a step of the current request under a span of its own; `fault` names the error of its result. */
  step<T>(
    name: string,
    attributes: Attributes,
    run: () => T,
    fault?: (result: Awaited<T>) => string | undefined,
  ): T {
    const parent = this.#active.getStore()
    if (parent === undefined) return run()
    const step = this.#begin(parent, name, { attributes: { ...attributes } })
    const ended = (code: string | undefined): void => {
      if (code !== undefined) failSpan(step.span, code)
      end(step)
    }
    const threw = (error: unknown): never => {
      ended(error instanceof Error ? error.name : 'Error')
      throw error
    }
    let result: T
    try {
      result = this.#active.run(step, run)
    } catch (error) {
      return threw(error)
    }
    if (!(result instanceof Promise)) {
      ended(fault?.(result as Awaited<T>))
      return result
    }
    return result.then((late: Awaited<T>) => {
      ended(fault?.(late))
      return late
    }, threw) as T
  }

  /** The current step as headers for an outgoing request; undefined outside any step. */
  headers(): Readonly<Record<string, string>> | undefined {
    const running = this.#active.getStore()
    return running === undefined ? undefined : headersOf(running.span.spanContext())
  }

  /** The headers of a call to a service, whose span begins here … */
  readonly callHeaders = (
    request: SubgraphRequest,
    call: UpstreamCall,
  ): Readonly<Record<string, string>> | undefined => {
    let running = this.#calls.get(call)
    if (running === undefined) {
      running = this.#beginCall(call, undefined)
      if (running === undefined) return traceOfRequest(request)
      this.#calls.set(call, running)
    }
    return headersOf(running.span.spanContext())
  }

  /** … and ends here. */
  called({ call, service, status, outcome, attempts, units, code, milliseconds }: UpstreamEvent): void {
    // A call that the cache answered, or that was never sent, had no headers.
    const running = this.#calls.get(call) ?? this.#beginCall(call, service, milliseconds)
    this.#calls.delete(call)
    if (running === undefined) return
    const { span } = running
    span.setAttributes({
      'tessera.service': service,
      'tessera.outcome': outcome,
      'tessera.attempts': attempts,
      'tessera.units': units,
      ...(status === undefined ? {} : { 'http.response.status_code': status }),
    })
    if (code !== undefined) failSpan(span, code)
    end(running)
  }

  /** Sends the remaining spans. */
  close(): Promise<void> {
    return closeInTime(this.#provider)
  }

  #begin(
    parent: ActiveSpan,
    name: string,
    options: Pick<SpanOptions, 'kind' | 'attributes'>,
    startTime = parent.now(),
  ): ActiveSpan {
    return {
      span: this.#tracer.startSpan(name, { ...options, startTime }, contextBelow(parent.span.spanContext())),
      now: parent.now,
    }
  }

  /** A call that began some milliseconds ago. */
  #beginCall(call: UpstreamCall, service: string | undefined, milliseconds = 0): ActiveSpan | undefined {
    const parent = this.#active.getStore()
    if (parent === undefined) return undefined
    const attributes = { 'http.request.method': call.method, 'tessera.service': service }
    return this.#begin(
      parent,
      call.operation,
      { kind: SpanKind.CLIENT, attributes },
      parent.now() - milliseconds,
    )
  }
}

const contextBelow = (parent: SpanContext | undefined) =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)

function failSpan(span: Span, code: string): void {
  span.setAttribute('error.type', code)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const end = ({ span, now }: ActiveSpan): void => span.end(now())

/** The caller's trace, if it sent one that is well-formed. */
function contextOfCaller(header: (name: string) => string | undefined): SpanContext | undefined {
  const caller = callerContext(header('traceparent'))
  if (caller === undefined) return undefined
  const { traceId, spanId, isSampled } = caller
  const state = header('tracestate')
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  }
  return trace.isSpanContextValid(context) ? context : undefined
}

function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  const tracestate = traceState?.serialize() ?? ''
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}
