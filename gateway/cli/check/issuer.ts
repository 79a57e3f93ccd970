/** Checks the issuer's key set: whether it can be fetched, and has a key for verifying tokens. */
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { reasonOf } from '../../../shared/http/call-reason.ts'
import { fetchKeySet } from '../../auth/authenticate/key-set.ts'
import { type Finding, placeOf, timed } from './finding.ts'

const asymmetric: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP'])

export async function checkIssuer(url: string): Promise<Finding> {
  const [outcome, milliseconds] = await timed(async (): Promise<Pick<Finding, 'said' | 'cure'>> => {
    let set: unknown
    try {
      set = await fetchKeySet(url)
    } catch (error) {
      return { said: wordsFor(error), cure: 'correct TESSERA_JWT_JWKS_URL: the issuer names it as jwks_uri' }
    }
    const usable = usableKeys(set)
    return usable === 0
      ? { said: 'it has no key for verifying signatures', cure: 'correct TESSERA_JWT_JWKS_URL' }
      : { said: usable === 1 ? '1 key' : `${usable} keys` }
  })
  return {
    subject: 'keys',
    place: placeOf(url),
    milliseconds,
    tried: "fetched the issuer's keys",
    ...outcome,
  }
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
