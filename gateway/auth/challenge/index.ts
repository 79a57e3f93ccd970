/**
 * Challenges tell a refused client what to ask its authorization server for. RFC 6750 has the errors of tokens and
 * scopes, RFC 9470 those of the sign-in, RFC 9449 those of proofs, RFC 9728 the address of the metadata.
 */
export { type Challenge, MissingAuthorization } from './challenge.ts'
export { challengeHeader } from './header.ts'
export { challengeOf } from './response.ts'
