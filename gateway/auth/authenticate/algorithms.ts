/**
 * The signature algorithms of each kind of key.
 *
 * A token itself says how it is signed, so the key decides what is accepted: A shared secret is never used with an
 * asymmetric algorithm, a public key is never used with HMAC, and `none` is refused.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'

const hmac = ['HS256', 'HS384', 'HS512'] as const
const rsa = ['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'] as const
const edwards = ['EdDSA', 'Ed25519'] as const
export const curves: Readonly<Record<string, readonly string[]>> = {
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
}
/** RSA keys of fewer bits sign and verify no JWT (RFC 7518, section 3.3). */
export const leastRsaBits = 2048
/** FIPS 204, if this Node and its OpenSSL support it. */
const postQuantum: readonly string[] = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'].filter(hasKeysOf)

export const asymmetric: readonly string[] = ['ES256', 'ES384', 'ES512', ...edwards, ...rsa, ...postQuantum]

function hasKeysOf(name: string): boolean {
  try {
    // Typed by what this version of Node always has.
    generateKeyPairSync(name.toLowerCase() as 'ed25519')
    return true
  } catch {
    return false
  }
}

type KeyKind = 'jwks' | 'pem' | 'secret'

function fitting(kind: KeyKind, key: KeyObject | undefined): readonly string[] {
  if (kind === 'secret') return hmac
  if (kind === 'jwks') return asymmetric
  switch (key?.asymmetricKeyType) {
    case 'rsa':
      return rsa
    case 'rsa-pss':
      return rsa.filter((name) => name.startsWith('PS'))
    case 'ec':
      return curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? []
    case 'ed25519':
      return edwards
    default:
      return postQuantum.filter((name) => name.toLowerCase() === key?.asymmetricKeyType)
  }
}

/** The algorithms to accept; throws a configuration error if one does not fit the key. */
export function algorithmsFor(
  kind: KeyKind,
  key: KeyObject | undefined,
  wanted: readonly string[] | undefined,
): string[] {
  const possible = fitting(kind, key)
  const what = { jwks: 'a key set', pem: 'this public key', secret: 'a shared secret' }[kind]
  if (possible.length === 0)
    throw new Error('no signature algorithm of tokens uses a public key of this kind')
  if (wanted === undefined) return [...possible]
  const wrong = wanted.filter((name) => !possible.includes(name))
  if (wrong.length > 0)
    throw new Error(`the algorithms ${wrong.join(', ')} do not fit ${what}; possible: ${possible.join(', ')}`)
  if (wanted.length === 0) throw new Error('the list of algorithms is empty')
  return [...wanted]
}
