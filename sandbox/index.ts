/**
 * The sandbox: stand-ins of the four services behind one HTTP server, with a journal of the requests, a ledger of
 * their costs, and scripted faults for tests. It imports nothing of the product.
 */

export type { Fault, FaultKind } from './faults.ts'
export { type ListedSample, listSamples, printSamples, type ServiceListing } from './listing.ts'
export type { JournalEntry, Sandbox, SandboxOptions, WriteRecord } from './server/sandbox.ts'
export { startSandbox } from './server/start.ts'
