/**
 * Tokens that are bound to a key of the client (`cnf`). The client proves to have the key, by DPoP or by the
 * certificate of the connection. A token that is bound in a way which is not configured is refused: without the proof
 * it would be a bearer token, against the intention of its issuer.
 */
import { refuse } from '../refused-token.ts'
import type { Confirmation, ProofMaterial } from '../types.ts'
import { type CertificateOptions, createCertificateReader } from './certificate.ts'
import { createProofCheck, type DpopOptions } from './dpop.ts'

export { createNonces, dpopAlgorithms } from './dpop.ts'
export { createProofMemory, proofsKind } from './replay.ts'

export interface PossessionOptions {
  readonly dpop?: DpopOptions | undefined
  readonly certificates?: CertificateOptions | undefined
}

export type Scheme = 'bearer' | 'dpop'

export function createPossession({ dpop, certificates }: PossessionOptions, now: () => number) {
  const checkProof = dpop === undefined ? undefined : createProofCheck(dpop, now)
  const thumbprintOf = certificates === undefined ? undefined : createCertificateReader(certificates)
  const takesUnbound = dpop?.required !== true
  return {
    /** Whether the scheme `Authorization: DPoP` is supported. */
    takesDpop: checkProof !== undefined,
    /** Whether an unbound token may be used as a bearer token. */
    takesUnbound,
    /** Rejects with or throws `UNAUTHENTICATED` if the request does not prove what the token requires. */
    check(
      confirmation: Confirmation | undefined,
      scheme: Scheme,
      token: string,
      shown: ProofMaterial | undefined,
    ): Promise<void> | undefined {
      // Unknown members are ignored if there is a known one (RFC 7800, section 3.1).
      const { jkt = undefined, 'x5t#S256': certificate = undefined } = withoutNulls(confirmation)
      if (confirmation !== undefined && (jkt ?? certificate) === undefined)
        throw refuse('binding', 'The token is bound in a way that this server cannot check.')
      if (jkt === undefined && (scheme === 'dpop' || !takesUnbound))
        throw refuse('binding', 'The token is not bound to a key by DPoP.')
      if (certificate !== undefined) {
        if (thumbprintOf === undefined)
          throw refuse('binding', 'The token is bound to a certificate, which this server does not receive.')
        if (shown === undefined || thumbprintOf(shown) !== certificate)
          throw refuse(
            'binding',
            'The token is bound to another certificate than the one of this connection.',
          )
      }
      if (jkt === undefined) return undefined
      if (checkProof === undefined)
        throw refuse('binding', 'The token is bound to a key by DPoP, which this server does not support.')
      if (scheme !== 'dpop' || shown === undefined)
        throw refuse(
          'binding',
          'The token is bound to a key: send it as `Authorization: DPoP`, with a proof.',
        )
      return checkProof(shown, token, jkt)
    },
  }
}

const withoutNulls = (members: Confirmation | undefined): Confirmation =>
  Object.fromEntries(Object.entries(members ?? {}).filter(([, value]) => value !== null))
