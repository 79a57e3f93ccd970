/** Streamed responses: `multipart/mixed` and server-sent events, over one bounded stream. */
export { createMultipart } from './multipart.ts'
export { isEventId, longestEventId, Sse } from './sse.ts'
export type { Closing, Stream } from './stream.ts'
