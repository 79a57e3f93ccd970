/**
 * TLS of our own: certificate and key from files, which are read again when they change, and the authorities whose
 * certificates of clients count. A client may show none; one that no authority vouches for is as if it were not shown.
 */
import type { Server as HttpServer } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { Logger } from '../telemetry/log.ts'

export interface TlsFiles {
  /** The chain, PEM: the server's own certificate first. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
  /** Authorities of clients' certificates, PEM; undefined asks clients for none. */
  readonly clientAuthorities: string | undefined
}

export interface Tls {
  /** What an HTTPS server is made with. */
  readonly options: SecureContextOptions & {
    readonly requestCert: boolean
    readonly rejectUnauthorized: false
    readonly ALPNProtocols: string[]
  }
  /** New connections get what the files hold now; if that is of no use, the log has why and nothing changes. */
  reload(server: HttpServer): void
}

/** A bundle of all authorities that a system trusts has a quarter of it. */
const mostBytes = 1024 * 1024

function read({ certificate, key, clientAuthorities }: TlsFiles): SecureContextOptions {
  const text = (file: string): string => {
    try {
      return readBoundedSync(file, mostBytes).toString('utf8')
    } catch (error) {
      throw new Error(`the TLS file ${file} cannot be read: ${fileFault(error)}`)
    }
  }
  const read: SecureContextOptions = {
    cert: text(certificate),
    key: text(key),
    minVersion: 'TLSv1.2',
    ...(clientAuthorities === undefined ? {} : { ca: text(clientAuthorities) }),
  }
  try {
    createSecureContext(read)
  } catch (error) {
    throw new Error(`the TLS files ${certificate} and ${key} do not go together: ${messageOf(error)}`)
  }
  return read
}

/** Throws an Error that names the file which cannot be used. */
export function openTls(files: TlsFiles, log: Logger): Tls {
  return {
    options: {
      ...read(files),
      requestCert: files.clientAuthorities !== undefined,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    },
    reload(server) {
      if (!(server instanceof HttpsServer)) return
      try {
        server.setSecureContext(read(files))
      } catch (error) {
        log.error({ reason: messageOf(error) }, 'the TLS files cannot be used; those from before stay')
      }
    },
  }
}
