/** The challenge of a whole response, with its status. */
import type { GraphQLError } from 'graphql'
import type { Identity } from '../../../shared/identity.ts'
import { challengeOfRefusals } from './refused.ts'
import type { Challenge } from './types.ts'

export interface Challenged {
  readonly status: 401 | 403
  readonly challenge: Challenge
}

/** The `extensions.authentication` of the error if it refuses a token. */
function tokenFaultOf(error: GraphQLError): { readonly reason: unknown } | undefined {
  const { code, authentication } = error.extensions
  if (code !== 'UNAUTHENTICATED' || typeof authentication !== 'object' || authentication === null)
    return undefined
  return authentication as { reason: unknown }
}

const dpopErrors: Readonly<Record<string, Challenge['error']>> = {
  proof: 'invalid_dpop_proof',
  nonce: 'use_dpop_nonce',
}

/**
 * For a response without data whose status is 401 or 403. A caller without a token, and one whose sign-in is too old or
 * too weak, must sign in: 401, as in RFC 6750 and RFC 9470. A caller who lacks a scope must ask for it: 403. Undefined
 * if neither would help; `identity` is undefined if the token was refused.
 */
export function challengeOf(
  errors: readonly GraphQLError[],
  identity: Identity | undefined,
): Challenged | undefined {
  for (const error of errors) {
    const fault = tokenFaultOf(error)
    if (fault === undefined) continue
    // Of another scheme: as if there were no token.
    if (fault.reason === 'scheme') return { status: 401, challenge: {} }
    const code = typeof fault.reason === 'string' ? dpopErrors[fault.reason] : undefined
    const { message } = error
    return { status: 401, challenge: { error: code ?? 'invalid_token', error_description: message } }
  }
  if (identity === undefined) return undefined
  const challenge = challengeOfRefusals(errors, identity)
  if (challenge === undefined) return undefined
  return { status: challenge.error === 'insufficient_scope' ? 403 : 401, challenge }
}
