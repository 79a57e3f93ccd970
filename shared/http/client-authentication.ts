/**
 * Authenticates a client to an authorization server (RFC 6749, section 2.3; RFC 7523, section 2.2): by a secret in a
 * header or in the form, or by a short-lived JWT that a private key signs, so that no secret is sent.
 */
import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'

interface SecretProof {
  readonly by: 'basic' | 'post'
  readonly secret: string
}

interface KeyProof {
  readonly by: 'private_key_jwt'
  readonly key: ClientKey
  readonly keyId?: string | undefined
  /** The audience of the JWT: the server's issuer identifier, or the URL of the endpoint. */
  readonly audience: string
}

export type ClientProof = SecretProof | KeyProof

interface ClientKey {
  readonly key: KeyObject
  readonly algorithm: string
}

/** Adds parameters to the form, and resolves with the `Authorization` header if there is one. */
type AuthenticateClient = (form: URLSearchParams) => Promise<string | undefined>

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const lifeSeconds = 60

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

function algorithmOf(key: KeyObject): string | undefined {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return 'RS256'
    case 'rsa-pss':
      return 'PS256'
    case 'ed25519':
      return 'EdDSA'
    default:
      return curves[key.asymmetricKeyDetails?.namedCurve ?? '']
  }
}

/** Throws if it is not a private key that can sign JWTs. The error contains nothing of the key. */
export function readClientKey(pem: string): ClientKey {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new Error('is not a private key in PEM form')
  }
  const algorithm = algorithmOf(key)
  if (algorithm === undefined) throw new Error('is a kind of key that cannot sign JWTs')
  return { key, algorithm }
}

/** Each part is form-encoded before they are joined, as RFC 6749, section 2.3.1, requires. */
function basicAuthorization(id: string, secret: string): string {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`
}

function bySecret(clientId: string, { by, secret }: SecretProof): AuthenticateClient {
  if (by === 'basic') {
    const header = basicAuthorization(clientId, secret)
    return async () => header
  }
  return async (form) => {
    form.set('client_id', clientId)
    form.set('client_secret', secret)
    return undefined
  }
}

/** `now` returns milliseconds since 1970. */
export function createClientAuthentication(
  clientId: string,
  proof: ClientProof,
  now: () => number = Date.now,
): AuthenticateClient {
  if (proof.by !== 'private_key_jwt') return bySecret(clientId, proof)
  const { key, keyId, audience } = proof
  return async (form) => {
    const at = Math.floor(now() / 1000)
    // Each assertion is valid once, because servers remember the `jti`.
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: key.algorithm, typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(at)
      .setExpirationTime(at + lifeSeconds)
      .sign(key.key)
    form.set('client_id', clientId)
    form.set('client_assertion_type', assertionType)
    form.set('client_assertion', assertion)
    return undefined
  }
}
