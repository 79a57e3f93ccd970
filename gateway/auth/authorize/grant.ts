/**
 * The claims of a caller, as bits, and what one operation makes of them.
 *
 * The claims of the supergraph are numbered once. A caller's bits are computed once for each set of scopes; after that
 * a request costs a few AND operations. The resulting grant has only the claims that matter to the operation, so callers
 * who differ in other scopes share everything that is cached under its key.
 */
import type { Identity } from '../../../shared/identity.ts'
import { authenticated, type Claim, isMet, type Requirement, scopeClaim } from './requirement.ts'

/** What a caller holds of the claims that matter to one operation. */
export class Grant {
  /** Grants of one operation with equal keys see the same graph. Opaque; usable as a key of a Map. */
  readonly key: number | string
  readonly #bits: ClaimBits | undefined
  readonly #held: Uint32Array

  /** Without `bits` every rule is met. */
  constructor(key: number | string, held: Uint32Array, bits?: ClaimBits) {
    this.key = key
    this.#held = held
    this.#bits = bits
  }

  /** Whether a claim of the operation is held. */
  holds(claim: Claim): boolean {
    return this.#bits?.holds(this.#held, claim) ?? true
  }

  /** Whether a requirement of the operation is met. */
  meets(requirement: Requirement): boolean {
    return isMet(requirement, (claim) => this.holds(claim))
  }
}

/** Every rule of the operation is met. */
export const granted = new Grant(-1, new Uint32Array())

type ClaimBits = ReturnType<typeof createClaimBits>

export function createClaimBits(claims: readonly Claim[]) {
  // Whether the caller is authenticated is always known: refusals tell it to a caller without a token.
  const numbers = new Map<Claim, number>([[authenticated, 0]])
  for (const claim of claims) if (!numbers.has(claim)) numbers.set(claim, numbers.size)
  const words = Math.ceil(numbers.size / 32)
  // Tokens with equal scopes share one set of bits, so ten thousand callers need only a few sets.
  const ofCallers = new WeakMap<ReadonlySet<string>, Uint32Array>()
  const ofNobody = new WeakMap<ReadonlySet<string>, Uint32Array>()

  const set = (bits: Uint32Array, claim: Claim): void => {
    const number = numbers.get(claim)
    if (number === undefined) return
    const word = number >>> 5
    bits[word] = (bits[word] ?? 0) | (1 << (number & 31))
  }

  return {
    words,
    /** The identity's claims, without those that are decided for each request: policies and step-up. */
    held(identity: Identity): Uint32Array {
      const { scopes } = identity
      const known = identity.authenticated ? ofCallers : ofNobody
      const cached = known.get(scopes)
      if (cached !== undefined) return cached
      const bits = new Uint32Array(words)
      if (identity.authenticated) set(bits, authenticated)
      for (const scope of scopes) set(bits, scopeClaim(scope))
      known.set(scopes, bits)
      return bits
    },
    /** `held` and further claims. */
    with(held: Uint32Array, claims: Iterable<Claim>): Uint32Array {
      const bits = held.slice()
      for (const claim of claims) set(bits, claim)
      return bits
    },
    mask(all: Iterable<Claim>): Uint32Array {
      const bits = new Uint32Array(words)
      for (const claim of all) set(bits, claim)
      return bits
    },
    holds(bits: Uint32Array, claim: Claim): boolean {
      const number = numbers.get(claim)
      return number !== undefined && ((bits[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
    },
  }
}

/** One requirement as masks: met if all bits of one of them are held. */
type Masks = readonly Uint32Array[]

/** What a caller with these claims is granted of one operation. */
type GrantOf = (held: Uint32Array) => Grant

export function createGrants(bits: ClaimBits, requirements: readonly Requirement[]): GrantOf {
  const { words } = bits
  const rules: readonly Masks[] = requirements.map((rule) => rule.map((claims) => bits.mask(claims)))
  const relevant = bits.mask([authenticated, ...requirements.flat(2)])

  const covers = (held: Uint32Array, mask: Uint32Array): boolean => {
    for (let word = 0; word < words; word++) {
      const wanted = mask[word] as number
      if (((held[word] as number) & wanted) >>> 0 !== wanted) return false
    }
    return true
  }
  const met = (held: Uint32Array, masks: Masks): boolean => {
    for (let index = 0; index < masks.length; index++)
      if (covers(held, masks[index] as Uint32Array)) return true
    return false
  }
  return (held) => {
    let all = true
    for (let index = 0; index < rules.length; index++) {
      if (!met(held, rules[index] as Masks)) {
        all = false
        break
      }
    }
    if (all) return granted
    const own = held.map((word, index) => word & (relevant[index] as number))
    const key = words === 1 ? (own[0] as number) : Array.from(own, (word) => word.toString(36)).join('.')
    return new Grant(key, own, bits)
  }
}
