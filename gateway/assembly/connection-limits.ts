/** The limits on clients' connections, as the configuration says. */
import type { Config } from '../config/index.ts'
import type { ConnectionLimits } from '../http/serve/connections.ts'

export function connectionLimitsOf({ values }: Config): ConnectionLimits {
  return {
    headersTimeoutMs: values.TESSERA_HEADERS_TIMEOUT_MS,
    bodyTimeoutMs: values.TESSERA_BODY_TIMEOUT_MS,
    writeTimeoutMs: values.TESSERA_WRITE_TIMEOUT_MS,
    keepAliveMs: values.TESSERA_KEEP_ALIVE_MS,
    backlog: values.TESSERA_BACKLOG,
    maxConnections: values.TESSERA_MAX_CONNECTIONS,
    maxPendingBytes: values.TESSERA_MAX_PENDING_BYTES,
  }
}
