/**
 * Our own TLS: certificate and key from files, which are read again when they change, and the trusted authorities of
 * client certificates. A client may present none; a certificate of an unknown authority counts as none.
 */
import type { Server as HttpServer } from 'node:http'
import { Server as HttpsServer, type ServerOptions } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import { readTlsFiles, type TlsFiles } from '../../shared/http/tls-files.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { Logger } from '../telemetry/log.ts'

/** Written out: a derived type would name what only the newest types of Node have. */
export interface Tls {
  readonly options: ServerOptions
  /** New connections use the current files; if these are invalid, the log has the reason and nothing changes. */
  reload(server: HttpServer): void
}

const read = (files: TlsFiles): SecureContextOptions => ({
  ...readTlsFiles(files, {
    unusable: (_what, file, how, reason) => `the TLS file ${file} cannot be ${how}: ${reason}`,
    mismatch: (reason) => `the TLS files ${files.certificate} and ${files.key} do not match: ${reason}`,
  }),
  minVersion: 'TLSv1.2',
})

/**
 * `ca` are the authorities of client certificates; without them no client is asked for one. Throws an Error that names
 * the invalid file.
 */
export function openTls(files: TlsFiles, log: Logger): Tls {
  return {
    options: {
      ...read(files),
      requestCert: files.ca !== undefined,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    },
    reload(server) {
      if (!(server instanceof HttpsServer)) return
      try {
        server.setSecureContext(read(files))
      } catch (error) {
        log.error({ reason: messageOf(error) }, 'the TLS files cannot be used; the previous ones stay in use')
      }
    },
  }
}
