/**
 * Tokens that are bound to a key of the client (`cnf`): who shows one proves to have the key, by DPoP or by the
 * certificate of the connection. A token that is bound in a way which is not configured here is refused: without the
 * proof it would be a bearer token, which its issuer did not mean it to be.
 */
import { refuse } from '../refused-token.ts'
import type { Confirmation, ProofMaterial } from '../types.ts'
import { type CertificateOptions, createCertificateReader } from './certificate.ts'
import { createProofCheck, type DpopOptions } from './dpop.ts'

export { addressList, type CertificateOptions } from './certificate.ts'
export { type DpopOptions, dpopAlgorithms } from './dpop.ts'
export { createNonces } from './nonce.ts'
export { createLocalProofMemory, createRedisProofMemory, type ProofMemory, proofUse } from './replay.ts'

export interface PossessionOptions {
  readonly dpop?: DpopOptions | undefined
  readonly certificates?: CertificateOptions | undefined
}

export type Scheme = 'bearer' | 'dpop'

export interface Possession {
  /** Whether `Authorization: DPoP` is a scheme at all. */
  readonly takesDpop: boolean
  /** Whether a token that is bound to nothing may be shown as a bearer token. */
  readonly takesUnbound: boolean
  /** Rejects or throws `UNAUTHENTICATED` if the request does not prove what the token demands. */
  check(
    confirmation: Confirmation | undefined,
    scheme: Scheme,
    token: string,
    shown: ProofMaterial | undefined,
  ): Promise<void> | void
}

export function createPossession({ dpop, certificates }: PossessionOptions, now: () => number): Possession {
  const checkProof = dpop === undefined ? undefined : createProofCheck(dpop, now)
  const thumbprintOf = certificates === undefined ? undefined : createCertificateReader(certificates)
  const takesUnbound = dpop?.required !== true
  return {
    takesDpop: checkProof !== undefined,
    takesUnbound,
    check(confirmation, scheme, token, shown) {
      // Members that are not known are ignored beside one that is (RFC 7800, section 3.1).
      const { jkt = undefined, 'x5t#S256': certificate = undefined } = withoutNulls(confirmation)
      if (confirmation !== undefined && (jkt ?? certificate) === undefined)
        throw refuse('binding', 'The token is bound in a way that this server cannot check.')
      if (jkt === undefined && (scheme === 'dpop' || !takesUnbound))
        throw refuse('binding', 'The token is not bound to a key by DPoP.')
      if (certificate !== undefined) {
        if (thumbprintOf === undefined)
          throw refuse(
            'binding',
            'The token is bound to a certificate, which this server does not get to see.',
          )
        if (shown === undefined || thumbprintOf(shown) !== certificate)
          throw refuse(
            'binding',
            'The token is bound to another certificate than the one of this connection.',
          )
      }
      if (jkt === undefined) return undefined
      if (checkProof === undefined)
        throw refuse('binding', 'The token is bound to a key by DPoP, which this server does not take.')
      if (scheme !== 'dpop' || shown === undefined)
        throw refuse(
          'binding',
          'The token is bound to a key: show it as `Authorization: DPoP`, with a proof.',
        )
      return checkProof(shown, token, jkt)
    },
  }
}

const withoutNulls = (members: Confirmation | undefined): Confirmation =>
  Object.fromEntries(Object.entries(members ?? {}).filter(([, value]) => value !== null))
