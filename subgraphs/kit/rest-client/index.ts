/**
 * The only module that calls a service. Every call ends by its deadline, and a write is sent at most once. No secret,
 * address or foreign text reaches an error's message.
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
