/** What a request over HTTP proves without its token: its connection, and the client's certificate in TLS. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ProofMaterial } from './authenticate/index.ts'

/** The certificate that the client of this connection proved in TLS, DER; undefined without TLS. */
export function clientCertificateOf(socket: Socket | undefined): Buffer | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  return socket.getPeerX509Certificate()?.raw
}

export const proofMaterialOf = ({
  method,
  url,
  header,
  socket,
  address,
}: Pick<ProofMaterial, 'method' | 'url' | 'header'> & {
  readonly socket?: Socket | undefined
  readonly address?: string | undefined
}): ProofMaterial => ({
  method,
  url,
  header,
  peer: () => socket?.remoteAddress,
  address: () => address,
  certificate: () => clientCertificateOf(socket),
})
