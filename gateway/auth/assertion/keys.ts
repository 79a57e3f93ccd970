/**
 * The keys of identity assertions: those with which the gateway signs and services verify, and those that it publishes.
 */
import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { type Proof, proofFrom, type TokenKey } from '../authenticate/index.ts'

export interface SigningKey {
  readonly key: KeyObject | Uint8Array
  readonly algorithm: 'HS256' | 'ES256' | 'Ed25519'
  /** The RFC 7638 thumbprint; undefined for the derived key, because there is only one. */
  readonly keyId: string | undefined
}

/** Verifies assertions: with the secret of both sides, or with a public key of the gateway. */
export type AssertionProof =
  | { readonly kind: 'secret'; readonly secret: string }
  | Extract<TokenKey, { readonly kind: 'jwks' | 'pem' }>

/** Derived from the secret of gateway and services, so that neither can be used as the other. */
export function derivedKey(secret: string): SigningKey {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'tessera identity assertion', 32))
  return { key, algorithm: 'HS256', keyId: undefined }
}

const isP256 = (key: KeyObject): boolean => key.asymmetricKeyDetails?.namedCurve === 'prime256v1'

/** Throws a configuration error if it is no private key of these kinds; the error contains nothing of it. */
export function readSigningKey(pem: string): SigningKey {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('the key of assertions is not a private key in PEM form')
  }
  const isEdwards = key.asymmetricKeyType === 'ed25519'
  if (!isEdwards && !isP256(key))
    throw new Error('the key of assertions must be on the curve P-256 or Ed25519')
  return { key, algorithm: isEdwards ? 'Ed25519' : 'ES256', keyId: thumbprintOf(createPublicKey(key)) }
}

/** RFC 7638: the required members, in the order of their names. */
function thumbprintOf(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return hash('sha256', JSON.stringify({ crv, kty, x, ...(y === undefined ? {} : { y }) }), 'base64url')
}

/** The public keys, for services that fetch them; empty if only the secret signs. */
export function assertionKeySet(signing: SigningKey | undefined): JSONWebKeySet {
  if (signing?.keyId === undefined || signing.key instanceof Uint8Array) return { keys: [] }
  const jwk = createPublicKey(signing.key).export({ format: 'jwk' })
  return { keys: [{ ...jwk, use: 'sig', alg: signing.algorithm, kid: signing.keyId }] } as JSONWebKeySet
}

const signatures = ['ES256', 'Ed25519', 'EdDSA']

/** Throws a configuration error if it is no key. */
export function checkFrom(from: AssertionProof): Proof {
  if (from.kind === 'secret')
    return proofFrom({ kind: 'secret', secret: derivedKey(from.secret).key as Uint8Array }, ['HS256'])
  if (from.kind === 'jwks') return proofFrom(from, signatures)
  const { algorithms, ...proof } = proofFrom(from, undefined)
  const taken = algorithms.filter((name) => signatures.includes(name))
  if (taken.length === 0)
    throw new Error('the public key of assertions must be on the curve P-256 or Ed25519')
  return { ...proof, algorithms: taken }
}
