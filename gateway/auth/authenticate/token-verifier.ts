/** The key that verifies tokens, as a function. */
import { createPublicKey, KeyObject } from 'node:crypto'
import { type CryptoKey, errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import { algorithmsFor, leastRsaBits } from './algorithms.ts'
import { isWeak, KeySet, type KeySetOptions } from './key-set.ts'

export type TokenKey =
  | ({ readonly kind: 'jwks' } & KeySetOptions)
  | { readonly kind: 'pem'; readonly pem: string }
  | { readonly kind: 'secret'; readonly secret: string | Uint8Array }

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTVerifyResult>

export interface TokenVerifier {
  readonly verify: Verify
  readonly algorithms: string[]
  close(): Promise<void>
}

/** An issuer may exchange a key under the same id, so a wrong signature is checked again with fetched keys. */
async function verifyWithSet(
  keys: KeySet,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await verifyWithKnown(keys, token, options)
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || !(await keys.renew())) throw error
    return await verifyWithKnown(keys, token, options)
  }
}

/** A key set may have several keys that fit a token without a key id: each is tried. */
async function verifyWithKnown(
  keys: KeySet,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, (header, input) => keys.key(header, input), options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    for await (const key of error as AsyncIterable<CryptoKey>) {
      if (++tried > 20) break
      if (isWeak(key)) continue
      try {
        return await jwtVerify(token, key, options)
      } catch (each) {
        if (!(each instanceof errors.JWSSignatureVerificationFailed)) throw each
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function publicKeyFrom(pem: string): KeyObject {
  if (/PRIVATE KEY/.test(pem)) throw new Error('expected a public key, got a private one')
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw new Error('the public key is not PEM (SPKI, PKCS #1 or an X.509 certificate)')
  }
  if ((key.asymmetricKeyDetails?.modulusLength ?? leastRsaBits) < leastRsaBits)
    throw new Error(`the RSA key has fewer than ${leastRsaBits} bits, which verify no JWT`)
  return key
}

/** Throws a configuration error if the key is invalid or an algorithm does not fit it. */
export function createTokenVerifier(key: TokenKey, algorithms: readonly string[] | undefined): TokenVerifier {
  if (key.kind === 'jwks') {
    const accepted = algorithmsFor('jwks', undefined, algorithms)
    const keys = new KeySet(key)
    return {
      verify: (token, options) => verifyWithSet(keys, token, options),
      algorithms: accepted,
      close: () => keys.close(),
    }
  }
  const own = key.kind === 'pem' ? publicKeyFrom(key.pem) : secretFrom(key.secret)
  return {
    verify: (token, options) => jwtVerify(token, own, options),
    algorithms: algorithmsFor(key.kind, own instanceof KeyObject ? own : undefined, algorithms),
    close: async () => {},
  }
}

function secretFrom(given: string | Uint8Array): Uint8Array {
  const secret = typeof given === 'string' ? new TextEncoder().encode(given) : given
  if (secret.length === 0) throw new Error('the shared secret is empty')
  return secret
}
