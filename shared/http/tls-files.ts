/**
 * Reads files of TLS and checks them, because connections would fail one by one. TLS takes what it can read of a file of
 * authorities, and nothing of any empty file, without an error: then certificates are refused, or there is none.
 */
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { fileFault, readBoundedSync } from '../runtime/bounded-file.ts'
import { messageOf } from '../runtime/thrown.ts'

/** Paths of PEM files: authorities, a chain that begins with the own certificate, and its key. */
export type TlsFiles = Readonly<Record<TlsFile, string | undefined>>
type TlsFile = 'ca' | 'certificate' | 'key'

/** How faults are said. */
interface TlsFaults {
  unusable(what: TlsFile, file: string, how: 'read' | 'used', reason: string): string
  mismatch(reason: string): string
}

/** A bundle of all authorities that a system trusts has a quarter of it. */
const mostBytes = 1024 * 1024

/** The content of the files. Throws an Error if one cannot be used. */
export function readTlsFiles(files: TlsFiles, faults: TlsFaults) {
  const read = (what: TlsFile): string | undefined => {
    const file = files[what]
    if (file === undefined) return undefined
    let text: string
    try {
      text = readBoundedSync(file, mostBytes).toString('utf8')
    } catch (error) {
      throw new Error(faults.unusable(what, file, 'read', fileFault(error)))
    }
    if (text === '' && what !== 'ca') throw new Error(faults.unusable(what, file, 'used', 'it is empty'))
    return text
  }
  const texts = { ca: read('ca'), cert: read('certificate'), key: read('key') }
  const { ca, ...own } = texts
  const fault = ca === undefined ? undefined : authoritiesFault(ca)
  if (fault !== undefined) throw new Error(faults.unusable('ca', files.ca ?? '', 'used', fault))
  try {
    createSecureContext(own)
  } catch (error) {
    throw new Error(faults.mismatch(messageOf(error)))
  }
  return texts
}

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
