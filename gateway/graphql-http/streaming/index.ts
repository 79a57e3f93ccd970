/** Streamed responses: `multipart/mixed` and server-sent events, over one bounded stream. */
export { createMultipart, type MultipartOptions } from './multipart.ts'
export { createSse, isEventId, longestEventId, type Sse, type SseEvent, type SseOptions } from './sse.ts'
export type { Closing, Stream } from './stream.ts'
