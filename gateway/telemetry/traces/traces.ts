/** What is traced: requests, the steps of each, and calls to services. */
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UpstreamCall, UpstreamEvent } from '../../../shared/upstream.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The span of a request, for what is known of it only in the end. */
export interface RequestSpan {
  readonly traceId: string
  /** The span does not end with what runs under it, but when what this answers is called. */
  hold(): () => void
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
  /** The same for a step that does not wait for anything. */
  stepNow<T>(name: string, attributes: Attributes, run: () => T): T
  /** The step that is under way, as headers for whom it asks; undefined outside of any. */
  headers(): Readonly<Record<string, string>> | undefined
  /** The headers of a call to a service, whose span begins here … */
  callHeaders(request: SubgraphRequest, call: UpstreamCall): Readonly<Record<string, string>> | undefined
  /** … and ends here. */
  called(event: UpstreamEvent): void
  /** Sends what is left. */
  close(): Promise<void>
}
