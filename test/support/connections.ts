/** Limits on connections for servers of tests, as generous as a test needs. */
import {
  type ConnectionLimits,
  type Connections,
  createConnections,
} from '../../gateway/server/connections.ts'

const usualLimits: ConnectionLimits = {
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 30_000,
  writeTimeoutMs: 30_000,
  keepAliveMs: 72_000,
  maxConnections: 1000,
  maxPendingBytes: 100_000_000,
  backlog: 511,
}

export const defaultConnections = (limits: Partial<ConnectionLimits> = {}): Connections =>
  createConnections({ ...usualLimits, ...limits })
