/**
 * Checks a file of authorities. TLS takes what it can read of one, and nothing of an empty one, without an error: then
 * every certificate is refused.
 */
import { X509Certificate } from 'node:crypto'
import { messageOf } from '../runtime/thrown.ts'

/** Why a text cannot be used as the certificates of authorities (PEM); undefined if it can. */
export function authoritiesFault(pem: string): string | undefined {
  const certificates = pem
    .split(/(?=-----BEGIN )/)
    .filter((block) => /^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/.test(block))
  if (certificates.length === 0) return 'it has no certificate'
  for (const [at, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate)
    } catch (error) {
      return `its certificate ${at + 1} cannot be read: ${messageOf(error)}`
    }
  }
  return undefined
}
