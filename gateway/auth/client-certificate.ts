/** The certificate of a client, as it proved it in TLS. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** The certificate that the client of this connection proved in TLS, DER; undefined without TLS. */
export function clientCertificateOf(socket: Socket | undefined): Buffer | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  return socket.getPeerX509Certificate()?.raw
}
