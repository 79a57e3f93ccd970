/**
 * The certificate of a client (RFC 8705). The client showed it to this server in TLS, or to the proxy in front of it. A
 * proxy passes it on in a header that only the proxy may set: `Client-Cert` of RFC 9440, a PEM text as nginx and others
 * send it, or Envoy's `X-Forwarded-Client-Cert`.
 */
import { hash, X509Certificate } from 'node:crypto'
import { networksFrom } from '../../client-address.ts'
import type { ProofMaterial } from '../types.ts'

export interface CertificateOptions {
  /** The header, in lower case; undefined trusts none. */
  readonly header: string | undefined
  /** Addresses of the proxies whose header is trusted: `10.0.0.1`, `10.0.0.0/8`. */
  readonly proxies: readonly string[]
}

const longest = 16_384

/** Returns the certificate's thumbprint in the form of `x5t#S256`; undefined if none was shown. */
export function createCertificateReader({
  header,
  proxies,
}: CertificateOptions): (shown: ProofMaterial) => string | undefined {
  const isProxy = networksFrom(proxies)
  return (shown) => {
    const text = header === undefined ? undefined : shown.header(header)
    const peer = shown.peer?.()
    // A proxy's header is about its client; the connection is the proxy's own.
    if (text !== undefined && peer !== undefined && isProxy(peer))
      return text.length > longest ? undefined : thumbprintIn(text)
    const own = shown.certificate?.()
    return own === undefined ? undefined : hash('sha256', own, 'base64url')
  }
}

function thumbprintIn(text: string): string | undefined {
  // Envoy does not quote the URI of a certificate, which may name another digest: two of them prove neither.
  const digests = [...withoutQuoted(text).matchAll(/(?:^|[;,])\s*Hash=([0-9a-f]{64})(?=[;,]|$)/gi)]
  if (digests.length > 1) return undefined
  const [digest] = digests
  if (digest !== undefined) return Buffer.from(digest[1] ?? '', 'hex').toString('base64url')
  const [, binary] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(text.trim()) ?? []
  try {
    const certificate = new X509Certificate(
      binary === undefined ? pemFrom(text) : Buffer.from(binary, 'base64'),
    )
    return hash('sha256', certificate.raw, 'base64url')
  } catch {
    return undefined
  }
}

/** Removes quoted parts: the subject of a certificate may have commas, and anything else that its owner wrote. */
const withoutQuoted = (text: string): string =>
  text
    .replaceAll(/\\./g, '')
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('')

/** A header has no line breaks: they are encoded, or replaced by spaces. */
function pemFrom(text: string): string {
  const plain = text.includes('%') ? decodeURIComponent(text) : text
  const [, body = ''] =
    /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(plain) ?? []
  return `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/\s+/g, '')}\n-----END CERTIFICATE-----\n`
}
