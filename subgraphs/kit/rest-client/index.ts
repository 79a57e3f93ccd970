/**
 * The only module that calls a service. It hides HTTP: the address, credentials, deadlines, retries, the circuit
 * breaker, the queue, the cache, and what a failed response means.
 *
 * Every call ends by its deadline, and a write is sent at most once. A response is JSON of the declared shape. No
 * secret, address or foreign text reaches an error's message.
 */
export type {
  FailedResponse,
  Failure,
  FailureReader,
  PlainFailure,
  Upstream,
  UpstreamOptions,
  UpstreamResponse,
  UpstreamTuning,
} from './client-options.ts'
export { failureOfStatus, type Meaning, malformedOutcome, meaning } from './failure.ts'
export { type ParseBody, parseBody } from './json.ts'
export { createUpstream } from './sender.ts'
