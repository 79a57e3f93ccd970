/**
 * Scripted faults: for a number of matching calls, a failure of a kind that real services have. Tests script them
 * directly or over HTTP (`POST /__control/faults`).
 */
export { type Fault, type FaultKind, Faults, faultFrom, faultKinds, isAfterWork } from './fault.ts'
export { inflict } from './inflict.ts'
