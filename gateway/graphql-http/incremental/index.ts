/** Incremental delivery over HTTP: the formats that clients accept, and how they are sent. */
export { acceptedIncrementalType, type IncrementalType } from './accept.ts'
export type { InitialResult } from './dialects.ts'
export { type IncrementalResponse, sendIncrementalResponse } from './send.ts'
