/** Signs tokens with a key of the user: a shared secret, or the issuer's private key. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { scopeFrom, secondsFrom } from '../auth/sandbox-tokens.ts'

export interface SigningKey {
  readonly key: Uint8Array | KeyObject
  readonly algorithm: string
}

export interface SignedTokenWish {
  readonly scope: string
  readonly subject: string
  readonly expires: string
  readonly issuer: string | undefined
  readonly audience: string | undefined
}

export function secretKey(secret: string): SigningKey {
  return { key: new TextEncoder().encode(secret), algorithm: 'HS256' }
}

/** Reads a private key in PEM form. The error says what was expected, and quotes nothing of the file. */
export function privateKey(pem: string): SigningKey {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('expected a private key in PEM form')
  }
  const algorithm = algorithmOf(key)
  if (algorithm === undefined) throw new Error('expected an RSA, P-256, P-384, P-521 or Ed25519 key')
  return { key, algorithm }
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  return curves[asymmetricKeyDetails?.namedCurve ?? '']
}

export function signToken(
  { scope, subject, expires, issuer, audience }: SignedTokenWish,
  { key, algorithm }: SigningKey,
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  const token = new SignJWT({ scope: scopeFrom(scope) })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secondsFrom(expires))
  if (issuer !== undefined) token.setIssuer(issuer)
  if (audience !== undefined) token.setAudience(audience)
  return token.sign(key)
}
