/**
 * Traces of what a request does: its span, and below it those of planning, of each fetch and of each call to a
 * service. Off unless an address is configured: then nothing of this is loaded, and a caller's trace context is
 * only handed on. No span holds a value of a variable, a header or a URL.
 */
import type { SubgraphRequest } from '../subgraphs/lib/request.ts'
import type { UpstreamCall, UpstreamEvent } from '../subgraphs/lib/upstream.ts'
import type { Logger } from './log.ts'
import { type Transport, UnreadResult } from './transport.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The span of a request, for what is known of it only in the end. */
export interface RequestSpan {
  rename(name: string): void
  set(attributes: Attributes): void
  /** With the codes of the errors in the answer. */
  failed(codes: readonly string[]): void
}

export interface Traces {
  /** Runs a request under a span that continues the caller's trace. */
  request<T>(header: (name: string) => string | undefined, run: (span: RequestSpan) => Promise<T>): Promise<T>
  /** Runs a step of the request that is under way, under a span of its own; `fault` names what went wrong. */
  step<T>(
    name: string,
    attributes: Attributes,
    run: () => T | Promise<T>,
    fault?: (result: T) => string | undefined,
  ): T | Promise<T>
  /** The step that is under way, as headers for whom it asks; undefined outside of any. */
  headers(): Readonly<Record<string, string>> | undefined
  /** The headers of a call to a service, whose span begins here … */
  callHeaders(request: SubgraphRequest, call: UpstreamCall): Readonly<Record<string, string>> | undefined
  /** … and ends here. */
  called(event: UpstreamEvent): void
  /** Sends what is left. */
  close(): Promise<void>
}

export interface TracesOptions {
  /** Where spans go, in OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. Undefined is nowhere. */
  readonly url: string | undefined
  /** The share of traces that begin here which is kept; of a trace that a caller began the caller decides. */
  readonly ratio: number
  readonly log: Logger
}

export async function openTraces({ url, ratio, log }: TracesOptions): Promise<Traces | undefined> {
  if (url === undefined) return undefined
  const { createTraces } = await import('./traces/spans.ts')
  return createTraces({ url, ratio, log })
}

/** The same transport, each fetch under a span. */
export function traceTransport(transport: Transport, traces: Traces): Transport {
  return {
    name: transport.name,
    get reachable() {
      return transport.reachable
    },
    close: () => transport.close(),
    prepare(operation) {
      const send = transport.prepare(operation)
      const attributes = {
        'graphql.operation.type': operation.kind,
        'tessera.subgraph': transport.name,
      }
      return (variables, request) =>
        traces.step(
          `fetch ${transport.name}`,
          attributes,
          () => send(variables, request),
          (result) => {
            if (result instanceof UnreadResult && result.looksFaultless) return undefined
            const { errors } = result
            if (errors === undefined || errors.length === 0) return undefined
            const code = errors[0]?.extensions?.code
            return typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR'
          },
        )
    },
  }
}
