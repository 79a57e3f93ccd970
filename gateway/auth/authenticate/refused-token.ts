/** The reasons for which a token is refused: codes for clients, and words that repeat nothing of the token. */
import type { GraphQLError } from 'graphql'
import { errors } from 'jose'
import { tesseraError } from '../../../shared/errors.ts'

/** For clients: `extensions.authentication.reason`. */
export type RefusedToken =
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

export const expired = (cause?: unknown): GraphQLError =>
  refuse('expired', 'The token has expired: get a new one.', cause)

const ofClaims: Readonly<Record<string, readonly [RefusedToken, string]>> = {
  nbf: ['not_yet_valid', 'The token is not valid yet.'],
  iss: ['issuer', 'The token is from an issuer that this server does not accept.'],
  aud: ['audience', 'The token is not meant for this server.'],
  typ: ['type', 'The token has a type that this server does not accept.'],
}

/** jose's errors in words that help the caller; undefined for other errors. */
export function refusalFrom(error: unknown): GraphQLError | undefined {
  if (error instanceof errors.JWTExpired) return expired(error)
  if (error instanceof errors.JWTClaimValidationFailed) {
    const known = Object.hasOwn(ofClaims, error.claim) ? ofClaims[error.claim] : undefined
    if (known !== undefined) return refuse(...known, error)
    if (error.reason === 'missing')
      return refuse('claims', `The token lacks the claim ${error.claim}, which this server requires.`, error)
    return refuse('claims', 'A claim of the token has a wrong value.', error)
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return refuse(
      'algorithm',
      'The token is signed with an algorithm that this server does not accept.',
      error,
    )
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refuse('signature', "The token's signature is wrong.", error)
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return refuse('key', "The token is signed with a key that is not among its issuer's.", error)
  if (error instanceof errors.JOSEError) return refuse('malformed', 'The token is not a signed JWT.', error)
  return undefined
}
