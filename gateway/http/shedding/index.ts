/** Shedding: refusing at once what could not be answered in time. */
export { createGate, type Gate, mutation, type Waiting } from './gate.ts'
export { busyResponse } from './refusal.ts'
export { createWatchedGate } from './watched.ts'
