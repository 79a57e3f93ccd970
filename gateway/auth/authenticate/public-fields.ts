/**
 * For development: a request with an `Authorization` header that is not our own token is anonymous if it selects only
 * public fields. An operation to which a rule applies still fails with the reason.
 */
import { GraphQLError } from 'graphql'
import { anonymous, type Identity } from '../../../shared/identity.ts'
import type { Authenticator } from './index.ts'

export function allowPublicFields(authenticator: Authenticator): Authenticator {
  const asAnonymous = (error: unknown): Identity => {
    if (!(error instanceof GraphQLError) || error.extensions.code !== 'UNAUTHENTICATED') throw error
    return { ...anonymous, tokenFault: error }
  }
  const orAnonymous = (authenticate: () => Identity | Promise<Identity>): Identity | Promise<Identity> => {
    try {
      const identity = authenticate()
      return identity instanceof Promise ? identity.catch(asAnonymous) : identity
    } catch (error) {
      return asAnonymous(error)
    }
  }
  const { again } = authenticator
  return {
    nonce: authenticator.nonce,
    authenticate: (header, shown) => orAnonymous(() => authenticator.authenticate(header, shown)),
    again: again && ((header) => orAnonymous(() => again(header))),
    close: () => authenticator.close(),
  }
}
