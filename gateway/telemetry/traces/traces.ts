/** What is traced: requests, their steps, and calls to services. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall, UpstreamEvent } from '../../../shared/upstream.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The span of a request, for data that are known only at its end. */
export interface RequestSpan {
  readonly traceId: string
  /** The span ends when the returned function is called, and not with the code that runs under it. */
  hold(): () => void
  rename(name: string): void
  set(attributes: Attributes): void
  /** With the codes of the errors in the response. */
  failed(codes: readonly string[]): void
}

export interface Traces {
  /** Runs a request under a span that continues the caller's trace. */
  request<T>(header: (name: string) => string | undefined, run: (span: RequestSpan) => Promise<T>): Promise<T>
  /** Runs a step of the current request under a span of its own; `fault` names the error. */
  step<T>(
    name: string,
    attributes: Attributes,
    run: () => T | Promise<T>,
    fault?: (result: T) => string | undefined,
  ): T | Promise<T>
  /** The same for a step that does not wait for anything. */
  stepNow<T>(name: string, attributes: Attributes, run: () => T): T
  /** The current step as headers for an outgoing request; undefined outside any step. */
  headers(): Readonly<Record<string, string>> | undefined
  /** The headers of a call to a service, whose span begins here … */
  callHeaders(request: SubgraphRequest, call: UpstreamCall): Readonly<Record<string, string>> | undefined
  /** … and ends here. */
  called(event: UpstreamEvent): void
  /** Sends the remaining spans. */
  close(): Promise<void>
}
