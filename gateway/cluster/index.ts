/** Several processes that serve one port: a primary, and workers, each of which is a gateway. */
export { Primary } from './primary.ts'
export { joinPrimary, type Membership } from './worker.ts'
