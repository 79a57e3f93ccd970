/** Clients' connections, as the configuration says: their limits, and TLS. */
import type { Config } from '../config/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { ConnectionLimits } from './connections.ts'
import { openTls, type Tls } from './tls.ts'

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

/** Undefined if the server speaks plain HTTP. Throws if the files cannot be used. */
export function tlsFrom({ values }: Config, log: Logger): Tls | undefined {
  const { TESSERA_TLS_CERT: certificate, TESSERA_TLS_KEY: key } = values
  if (certificate === undefined || key === undefined) return undefined
  return openTls({ certificate, key, clientAuthorities: values.TESSERA_TLS_CLIENT_CA }, log)
}
