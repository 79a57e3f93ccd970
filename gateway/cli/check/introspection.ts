/**
 * Checks the issuer's introspection of opaque tokens: whether it responds for an invalid token, and accepts our
 * credential.
 */
import { GraphQLError } from 'graphql'
import { createIntrospection } from '../../auth/authenticate/introspection.ts'
import type { IssuerConfig } from '../../config/index.ts'
import { type Finding, look, placeOf } from './finding.ts'

export function checkIntrospection({
  url,
  clientId,
  proof,
}: NonNullable<IssuerConfig['introspection']>): Promise<Finding> {
  const introspection = createIntrospection({ url, clientId, proof }, Date.now)
  return look(
    { subject: 'tokens', place: placeOf(url), tried: 'asked the issuer about an invented token' },
    async () => {
      await introspection.claims('tessera-check')
      return { said: 'it says that an invented token is active', cure: 'correct TESSERA_INTROSPECTION_URL' }
    },
    (error) => {
      if (error instanceof GraphQLError && error.extensions.code === 'UNAUTHENTICATED') return {}
      const cause = error instanceof GraphQLError ? error.originalError : error
      return {
        said: cause instanceof Error ? cause.message : 'it failed',
        cure: 'make sure that TESSERA_INTROSPECTION_URL can be reached from here, and that it accepts TESSERA_INTROSPECTION_CLIENT_ID with its secret or key (401 and 403 mean that it does not)',
      }
    },
  ).finally(() => introspection.close())
}
