/**
 * Spans by OpenTelemetry's SDK, with a provider of our own: several gateways of one process do not meet. What is
 * under way follows the asynchronous context; where a look-up is shared, its call belongs to who asked first.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { callerContext, traceOfRequest } from '../../../contract/trace-context.ts'
import type { UpstreamCall } from '../../../contract/upstream.ts'
import type { Logger } from '../log.ts'
import { version } from '../version.ts'
import type { TracesSettings } from './settings.ts'
import type { Traces } from './traces.ts'

/** Spans that wait to be sent; more are dropped rather than kept. */
const mostWaiting = 4096
/** What an exporter may take at the end, in milliseconds. */
const closeMs = 3000

export function createTraces(settings: TracesSettings & { readonly url: string }, log: Logger): Traces {
  const { url, headers, sampler, attributes } = settings
  const root = new TraceIdRatioBasedSampler(sampler.ratio)
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: 5000 })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.version': version, ...attributes }),
    sampler: sampler.parentBased ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [
      new BatchSpanProcessor(toldOnce(exporter, log), {
        maxQueueSize: mostWaiting,
        scheduledDelayMillis: 1000,
      }),
    ],
  })
  const tracer = provider.getTracer('tessera')
  const active = new AsyncLocalStorage<Span>()
  const calls = new Map<UpstreamCall, Span>()

  const below = (parent: SpanContext | undefined) =>
    parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)

  const failed = (span: Span, code: string): void => {
    span.setAttribute('error.type', code)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }

  const beginCall = (
    call: UpstreamCall,
    service: string | undefined,
    startTime?: number,
  ): Span | undefined => {
    const parent = active.getStore()
    if (parent === undefined) return undefined
    return tracer.startSpan(
      call.operation,
      {
        kind: SpanKind.CLIENT,
        attributes: { 'http.request.method': call.method, 'tessera.service': service },
        ...(startTime === undefined ? {} : { startTime }),
      },
      below(parent.spanContext()),
    )
  }

  return {
    async request(header, run) {
      const span = tracer.startSpan('graphql', { kind: SpanKind.SERVER }, below(contextOfCaller(header)))
      let isHeld = false
      try {
        return await active.run(span, () =>
          run({
            traceId: span.spanContext().traceId,
            hold() {
              isHeld = true
              span.addEvent('first part')
              return () => span.end()
            },
            rename: (name) => span.updateName(name),
            set: (attributes) => span.setAttributes({ ...attributes }),
            failed: (codes) => failed(span, codes.join(',')),
          }),
        )
      } finally {
        if (!isHeld) span.end()
      }
    },

    step(name, attributes, run, fault) {
      const parent = active.getStore()
      if (parent === undefined) return run()
      const span = tracer.startSpan(name, { attributes: { ...attributes } }, below(parent.spanContext()))
      const end = <T>(result: T, code: string | undefined): T => {
        if (code !== undefined) failed(span, code)
        span.end()
        return result
      }
      const result = active.run(span, run)
      if (!(result instanceof Promise)) return end(result, fault?.(result))
      return result.then(
        (late) => end(late, fault?.(late)),
        (error: unknown) => {
          end(undefined, error instanceof Error ? error.name : 'Error')
          throw error
        },
      )
    },

    stepNow(name, attributes, run) {
      const parent = active.getStore()
      if (parent === undefined) return run()
      const span = tracer.startSpan(name, { attributes: { ...attributes } }, below(parent.spanContext()))
      try {
        return active.run(span, run)
      } catch (error) {
        failed(span, error instanceof Error ? error.name : 'Error')
        throw error
      } finally {
        span.end()
      }
    },

    headers() {
      const span = active.getStore()
      return span === undefined ? undefined : headersOf(span.spanContext())
    },

    callHeaders(request, call) {
      let span = calls.get(call)
      if (span === undefined) {
        span = beginCall(call, undefined)
        if (span === undefined) return traceOfRequest(request)
        calls.set(call, span)
      }
      return headersOf(span.spanContext())
    },

    called({ call, service, status, outcome, attempts, units, code, milliseconds }) {
      // What the cache answered, or nobody sent, had no headers.
      const span = calls.get(call) ?? beginCall(call, service, Date.now() - milliseconds)
      calls.delete(call)
      if (span === undefined) return
      span.setAttributes({
        'tessera.service': service,
        'tessera.outcome': outcome,
        'tessera.attempts': attempts,
        'tessera.units': units,
        ...(status === undefined ? {} : { 'http.response.status_code': status }),
      })
      if (code !== undefined) failed(span, code)
      span.end()
    },

    async close() {
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, closeMs)
      await Promise.race([provider.shutdown().catch(() => {}), patience.promise])
      clearTimeout(timer)
    },
  }
}

/** The caller's trace, where it sent one that is well-formed. */
function contextOfCaller(header: (name: string) => string | undefined): SpanContext | undefined {
  const caller = callerContext(header('traceparent'))
  if (caller === undefined) return undefined
  const { traceId, spanId, flags } = caller
  const state = header('tracestate')
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
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

/** The exporter, whose losses the log hears of once, and once of the end of them. */
function toldOnce(exporter: SpanExporter, log: Logger): SpanExporter {
  let away = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const lost = result.code !== 0
        if (lost && !away)
          log.warn({ spans: spans.length }, 'traces cannot be sent: they are dropped until they can')
        if (!lost && away) log.info('traces are sent again')
        away = lost
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
