/** TLS of clients' connections, as the configuration says. */
import type { Config } from '../config/index.ts'
import type { Logger } from '../telemetry/log.ts'
import { openTls, type Tls } from './tls.ts'

/** Undefined if the server speaks plain HTTP. Throws if the files cannot be used. */
export function tlsFrom({ server }: Config, log: Logger): Tls | undefined {
  const { cert: certificate, key, clientCa: ca } = server.tls
  if (certificate === undefined || key === undefined) return undefined
  return openTls({ certificate, key, ca }, log)
}

export function ownNamesOf({ server }: Config): readonly string[] {
  const { host, publicUrl } = server
  return publicUrl === undefined ? [host] : [host, new URL(publicUrl).hostname]
}
