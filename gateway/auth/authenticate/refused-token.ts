/** The reasons for which a token is refused: codes for clients, and words that repeat nothing of the token. */
import type { GraphQLError } from 'graphql'
import { errors, type JWTPayload } from 'jose'
import { tesseraError } from '../../../shared/errors.ts'

/** For clients: `extensions.authentication.reason`. */
type RefusedToken =
  | 'scheme'
  | 'malformed'
  | 'too_large'
  | 'unconfigured'
  | 'algorithm'
  | 'signature'
  | 'key'
  | 'type'
  | 'expired'
  | 'not_yet_valid'
  | 'inactive'
  | 'issuer'
  | 'audience'
  | 'claims'
  | 'binding'
  | 'proof'
  | 'nonce'

export function refuse(reason: RefusedToken, message: string, cause?: unknown): GraphQLError {
  return tesseraError('UNAUTHENTICATED', message, { cause, extensions: { authentication: { reason } } })
}

const expired = (cause?: unknown): GraphQLError =>
  refuse('expired', 'The token has expired: get a new one.', cause)

/** The same for verified claims, which jose has not found expired itself. Its error has those that it was given. */
export const expiredSince = (claims: JWTPayload): GraphQLError =>
  expired(new errors.JWTExpired('the token has expired', claims, 'exp', 'check_failed'))

const ofClaims = {
  nbf: ['not_yet_valid', 'The token is not valid yet.'],
  iss: ['issuer', 'The token is from an issuer that this server does not accept.'],
  aud: ['audience', 'The token is not meant for this server.'],
  typ: ['type', 'The token has a type that this server does not accept.'],
} as const satisfies Readonly<Record<string, readonly [RefusedToken, string]>>

export function refuseClaim(claim: keyof typeof ofClaims, cause?: unknown): GraphQLError {
  const [reason, message] = ofClaims[claim]
  return refuse(reason, message, cause)
}

export const lacksClaim = (claim: string, cause?: unknown): GraphQLError =>
  refuse('claims', `The token lacks the claim ${claim}, which this server requires.`, cause)

const isOfClaims = (claim: string): claim is keyof typeof ofClaims => Object.hasOwn(ofClaims, claim)

/** jose's errors in words that help the caller; undefined for other errors. */
export function refusalFrom(error: unknown): GraphQLError | undefined {
  if (error instanceof errors.JWTExpired) return expired(error)
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (isOfClaims(error.claim) && error.reason !== 'invalid') return refuseClaim(error.claim, error)
    if (error.reason === 'missing') return lacksClaim(error.claim, error)
    return refuse('claims', 'A claim of the token has a wrong value.', error)
  }
  const found = ofErrors.find(([kind]) => error instanceof kind)
  return found && refuse(found[1], found[2], error)
}

const unknownKey = "The token is signed with a key that is not among its issuer's."

/** The first that fits counts: all are kinds of the last one. */
const ofErrors: readonly (readonly [typeof errors.JOSEError, RefusedToken, string])[] = [
  [
    errors.JOSEAlgNotAllowed,
    'algorithm',
    'The token is signed with an algorithm that this server does not accept.',
  ],
  [
    errors.JOSENotSupported,
    'algorithm',
    'The token has an algorithm, or a critical header parameter, that this server does not know.',
  ],
  [errors.JWSSignatureVerificationFailed, 'signature', "The token's signature is wrong."],
  [errors.JWKSNoMatchingKey, 'key', unknownKey],
  [errors.JWKSMultipleMatchingKeys, 'key', unknownKey],
  [errors.JOSEError, 'malformed', 'The token is not a signed JWT.'],
]
