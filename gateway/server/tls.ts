/**
 * Our own TLS: certificate and key from files, which are read again when they change, and the trusted authorities of
 * client certificates. A client may present none; a certificate of an unknown authority counts as none.
 */
import type { Server as HttpServer } from 'node:http'
import { Server as HttpsServer, type ServerOptions } from 'node:https'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { authoritiesFault } from '../../shared/http/authorities.ts'
import { fileFault, readBoundedSync } from '../../shared/runtime/bounded-file.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { Logger } from '../telemetry/log.ts'

interface TlsFiles {
  /** The chain, PEM: the server's own certificate first. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
  /** Authorities of client certificates, PEM; undefined asks clients for none. */
  readonly clientAuthorities: string | undefined
}

/** Written out: a derived type would name what only the newest types of Node have. */
export interface Tls {
  /** The options of an HTTPS server. */
  readonly options: ServerOptions
  /** New connections use the current files; if these are invalid, the log has the reason and nothing changes. */
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
  const fault = read.ca === undefined ? undefined : authoritiesFault(String(read.ca))
  if (fault !== undefined) throw new Error(`the TLS file ${clientAuthorities} cannot be used: ${fault}`)
  try {
    createSecureContext(read)
  } catch (error) {
    throw new Error(`the TLS files ${certificate} and ${key} do not match: ${messageOf(error)}`)
  }
  return read
}

/** Throws an Error that names the invalid file. */
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
        log.error({ reason: messageOf(error) }, 'the TLS files cannot be used; the previous ones stay in use')
      }
    },
  }
}
