/**
 * For development: a request with an `Authorization` header that is no token of ours is anonymous as long as it asks
 * for public fields alone. An operation that a rule bears on still fails with the reason.
 */
import { GraphQLError } from 'graphql'
import { anonymous, type Identity } from '../../../contract/identity.ts'
import type { Authenticator } from './index.ts'

export function allowPublicFields(authenticator: Authenticator): Authenticator {
  const asAnonymous = (error: unknown): Identity => {
    if (!(error instanceof GraphQLError) || error.extensions.code !== 'UNAUTHENTICATED') throw error
    return { ...anonymous, tokenFault: error }
  }
  return {
    nonce: authenticator.nonce,
    authenticate(header, shown) {
      try {
        const identity = authenticator.authenticate(header, shown)
        return identity instanceof Promise ? identity.catch(asAnonymous) : identity
      } catch (error) {
        return asAnonymous(error)
      }
    },
    close: () => authenticator.close(),
  }
}
