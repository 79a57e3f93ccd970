/** Certificates for tests, made by `openssl`. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
const addresses = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']

/** Makes `<name>.pem` and `<name>.key` in a folder, signed by the authority `by` in it or else by itself. */
export function makeCertificate(folder: string, name: string, by?: string): void {
  const file = (path: string): string => join(folder, path)
  const signed = by === undefined ? [] : ['-CA', file(`${by}.pem`), '-CAkey', file(`${by}.key`)]
  const made = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)]
  execFileSync(
    'openssl',
    ['req', '-x509', ...key, '-subj', `/CN=${name}`, ...addresses, ...signed, ...made],
    { stdio: 'pipe' },
  )
}
