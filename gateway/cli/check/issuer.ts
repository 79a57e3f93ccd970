/** Checks an issuer: its key set, and its introspection of opaque tokens. */
import { GraphQLError } from 'graphql'
import type { JSONWebKeySet } from 'jose'
import { reasonOf } from '../../../shared/http/failure-reason.ts'
import { counted } from '../../../shared/runtime/counted.ts'
import type { IssuerOptions } from '../../auth/authenticate/index.ts'
import { createIntrospection } from '../../auth/authenticate/introspection.ts'
import { fetchKeySet } from '../../auth/authenticate/key-set.ts'
import { type Finding, look, placeOf } from './finding.ts'

const asymmetric: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP', 'AKP'])

/** Whether its key set can be fetched, and has a key for verifying tokens. */
export function checkIssuer(url: string): Promise<Finding> {
  return look(
    { subject: 'keys', place: placeOf(url), tried: "fetched the issuer's keys" },
    async () => {
      const usable = usableKeys(await fetchKeySet(url))
      return usable === 0
        ? { said: 'it has no key for verifying signatures', cure: 'correct TESSERA_JWT_JWKS_URL' }
        : { said: counted(usable, 'key') }
    },
    (error) => ({
      said: wordsFor(error),
      cure: 'correct TESSERA_JWT_JWKS_URL: the issuer names it as jwks_uri',
    }),
  )
}

function wordsFor(error: unknown): string {
  if (error instanceof SyntaxError) return 'the response is not JSON'
  if (!(error instanceof Error)) return reasonOf(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? reasonOf(cause) : error.message
}

const usableKeys = ({ keys }: JSONWebKeySet): number =>
  keys.filter(({ kty, use }) => asymmetric.has(kty) && use !== 'enc').length

/** Whether its introspection responds for an invalid token, and accepts our credential. */
export function checkIntrospection({
  url,
  clientId,
  proof,
}: NonNullable<IssuerOptions['introspection']>): Promise<Finding> {
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
