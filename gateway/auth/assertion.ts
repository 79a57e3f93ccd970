/**
 * Identity assertions: how the gateway tells a subgraph service who the caller is. An assertion is a short JWT instead
 * of the caller's own token. It is valid for one subgraph, one request and one minute, so a compromised subgraph can
 * use it nowhere else; the caller's token would open everything that the caller may do. It is signed with a private key
 * of the gateway, so that no service can make one, or else with a key derived from the secret of gateway and subgraphs.
 */
import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject } from 'node:crypto'
import { decodeJwt, errors, type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose'
import { anonymous, type Identity } from '../../shared/identity.ts'
import {
  type Authenticator,
  createTokenVerifier,
  refusalFrom,
  refuse,
  type TokenKey,
  type TokenVerifier,
} from './authenticate/index.ts'

const type = 'tessera-identity+jwt'
const issuer = 'tessera'
const lifeSeconds = 60

/** Claims of the caller's token that rules may require. */
const passed = ['acr', 'auth_time', 'client_id'] as const

const operationOf = (body: string | Buffer): string => hash('sha256', body, 'base64url')

/** What assertions say of a caller, whatever the request; undefined for an anonymous caller. */
export function assertedClaims(identity: Identity | undefined): JWTPayload | undefined {
  if (identity?.authenticated !== true) return undefined
  const claims: JWTPayload = { scope: [...identity.scopes].join(' ') }
  for (const name of passed) {
    const value = identity.claims[name]
    if (value !== undefined) claims[name] = value
  }
  if (identity.subject !== undefined) claims.sub = identity.subject
  return claims
}

/** Makes the `Authorization` header of a request to one subgraph; undefined for an anonymous caller. */
export function createAssertionSigner(
  { key, algorithm, keyId }: SigningKey,
  audience: string,
): (identity: Identity | undefined, body: string) => Promise<string> | undefined {
  return (identity, body) => {
    const claims = assertedClaims(identity)
    if (claims === undefined) return undefined
    return new SignJWT({ ...claims, op: operationOf(body) })
      .setProtectedHeader({ alg: algorithm, typ: type, ...(keyId === undefined ? {} : { kid: keyId }) })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${lifeSeconds}s`)
      .sign(key)
      .then((text) => `Bearer ${text}`)
  }
}

export function createAssertionAuthenticator(
  from: AssertionProof,
  audience: string,
  now: () => number = Date.now,
): Authenticator {
  const check = checkFrom(from)
  return {
    authenticate(header, shown) {
      if (header === undefined) return anonymous
      const text = assertionIn(header)
      // The request that opens a WebSocket has no body.
      return identityFrom(text, new Date(now()), operationOf(shown?.body?.() ?? ''))
    },
    // A subscription outlasts the assertion with which it began. The gateway ends it with the caller's token.
    again(header) {
      if (header === undefined) return anonymous
      const text = assertionIn(header)
      const { iat = 0, op } = decodeJwt(text)
      return identityFrom(text, new Date(iat * 1000), op)
    },
    close: () => check.close(),
  }

  async function identityFrom(text: string, currentDate: Date, operation: unknown): Promise<Identity> {
    let claims: JWTPayload
    try {
      const { payload } = await check.verify(text, {
        algorithms: check.algorithms,
        typ: type,
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'op'],
        maxTokenAge: lifeSeconds,
        clockTolerance: lifeSeconds,
        currentDate,
      })
      claims = payload
    } catch (error) {
      throw error instanceof errors.JOSEError ? (refusalFrom(error) ?? error) : error
    }
    if (claims.op !== operation) throw refuse('claims', 'The assertion was made for another request.')
    // Its end is that of a request, and not the end of the caller's token.
    const { exp, ...lasting } = claims
    const scope = typeof claims.scope === 'string' ? claims.scope : ''
    return Object.freeze({
      ...(claims.sub === undefined ? {} : { subject: claims.sub }),
      scopes: new Set(scope.split(' ').filter((name) => name !== '')),
      claims: Object.freeze(lasting),
      authenticated: true,
    })
  }
}

function assertionIn(header: string): string {
  const [, text] = /^Bearer ([\w.-]{1,65536})$/.exec(header) ?? []
  if (text === undefined)
    throw refuse('scheme', 'The Authorization header must be `Bearer` and an assertion.')
  return text
}

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
function checkFrom(from: AssertionProof): TokenVerifier {
  if (from.kind === 'secret')
    return createTokenVerifier({ kind: 'secret', secret: derivedKey(from.secret).key as Uint8Array }, [
      'HS256',
    ])
  if (from.kind === 'jwks') return createTokenVerifier(from, signatures)
  const { algorithms, ...proof } = createTokenVerifier(from, undefined)
  const taken = algorithms.filter((name) => signatures.includes(name))
  if (taken.length === 0)
    throw new Error('the public key of assertions must be on the curve P-256 or Ed25519')
  return { ...proof, algorithms: taken }
}
