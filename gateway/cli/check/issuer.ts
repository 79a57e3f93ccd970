/** Checks the issuer's key set: whether it can be fetched, and has a key for verifying tokens. */
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { reasonOf } from '../../../shared/http/call-reason.ts'
import { fetchKeySet } from '../../auth/authenticate/key-set.ts'
import { type Finding, look, placeOf } from './finding.ts'

const asymmetric: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP'])

export function checkIssuer(url: string): Promise<Finding> {
  return look(
    { subject: 'keys', place: placeOf(url), tried: "fetched the issuer's keys" },
    async () => {
      const usable = usableKeys(await fetchKeySet(url))
      return usable === 0
        ? { said: 'it has no key for verifying signatures', cure: 'correct TESSERA_JWT_JWKS_URL' }
        : { said: usable === 1 ? '1 key' : `${usable} keys` }
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

function usableKeys(set: unknown): number {
  try {
    createLocalJWKSet(set as JSONWebKeySet)
  } catch {
    return 0
  }
  return (set as JSONWebKeySet).keys.filter(({ kty, use }) => asymmetric.has(kty) && use !== 'enc').length
}
