/**
 * The claims of a caller as bits, which are computed once for each set of scopes. A grant has only the claims that matter
 * to its operation, so callers who differ in other scopes share everything that is cached under its key.
 */
import type { Identity } from '../../../shared/identity.ts'
import { authenticated, type Claim, isMet, type Requirement, scopeClaim } from './requirement.ts'

/** What a caller holds of the claims that matter to one operation. */
export class Grant {
  /** Those claims, as bits. Grants of one operation with equal keys see the same graph. */
  readonly key: bigint
  readonly #bits: ClaimBits | undefined

  /** Without `bits` every rule is met. */
  constructor(key: bigint, bits?: ClaimBits) {
    this.key = key
    this.#bits = bits
  }

  holds(claim: Claim): boolean {
    return this.#bits?.holds(this.key, claim) ?? true
  }

  meets(requirement: Requirement): boolean {
    return isMet(requirement, (claim) => this.holds(claim))
  }
}

/** Every rule of the operation is met. */
export const granted = new Grant(-1n)

type ClaimBits = ReturnType<typeof createClaimBits>

export function createClaimBits(claims: readonly Claim[]) {
  // Whether the caller is authenticated is always known: refusals tell it to a caller without a token.
  const bitOf = new Map(
    [...new Set([authenticated, ...claims])].map((claim, number) => [claim, 1n << BigInt(number)]),
  )
  // Tokens with equal scopes share one set of bits, so ten thousand callers need only a few sets.
  const ofCallers = new WeakMap<ReadonlySet<string>, bigint>()
  const ofNobody = new WeakMap<ReadonlySet<string>, bigint>()

  const bitsOf = (all: readonly Claim[]): bigint =>
    all.reduce((bits, claim) => bits | (bitOf.get(claim) ?? 0n), 0n)

  return {
    of: bitsOf,
    /** The identity's claims, without those that are decided for each request: policies and step-up. */
    held(identity: Identity): bigint {
      const { scopes } = identity
      const known = identity.authenticated ? ofCallers : ofNobody
      let bits = known.get(scopes)
      if (bits === undefined) {
        bits = bitsOf([...(identity.authenticated ? [authenticated] : []), ...[...scopes].map(scopeClaim)])
        known.set(scopes, bits)
      }
      return bits
    },
    holds: (bits: bigint, claim: Claim): boolean => (bits & (bitOf.get(claim) ?? 0n)) !== 0n,
  }
}

/** What a caller with these claims is granted of one operation. */
type GrantOf = (held: bigint) => Grant

export function createGrants(bits: ClaimBits, requirements: readonly Requirement[]): GrantOf {
  // A requirement is met if all bits of one of its masks are held.
  const rules = requirements.map((requirement) => requirement.map((claims) => bits.of(claims)))
  const relevant = bits.of([authenticated, ...requirements.flat(2)])
  return (held) =>
    rules.every((masks) => masks.some((mask) => (held & mask) === mask))
      ? granted
      : new Grant(held & relevant, bits)
}
