/**
 * The requirement of a rule, as a formula: alternatives (OR) of claims that must all hold (AND).
 *
 * Claims are strings with a prefix for their kind, so that a scope and a policy of the same name differ. `always`
 * requires nothing, and an empty list of scopes reads as `always`, as in Apollo Router.
 */

/** `authenticated`, `scope:…` or `policy:…`. */
export type Claim = string

/** Sorted alternatives of sorted claims, none of which contains another. */
export type Requirement = readonly (readonly Claim[])[]

export const authenticated: Claim = 'authenticated'
export const scopeClaim = (scope: string): Claim => `scope:${scope}`
export const policyClaim = (policy: string): Claim => `policy:${policy}`

export const always: Requirement = [[]]

/** Beyond this many alternatives a conjunction is not spelt out. */
const widest = 256

const contains = (all: readonly Claim[], some: readonly Claim[]): boolean =>
  some.every((claim) => all.includes(claim))

/** Drops alternatives that another one makes redundant, and puts the rest in a fixed order. */
export function requirementFrom(alternatives: readonly (readonly Claim[])[]): Requirement {
  if (alternatives.length === 0) return always
  const sorted = alternatives
    .map((claims) => [...new Set(claims)].sort())
    .sort((a, b) => a.length - b.length || (a.join(' ') < b.join(' ') ? -1 : 1))
  const kept: (readonly Claim[])[] = []
  for (const claims of sorted) if (!kept.some((other) => contains(claims, other))) kept.push(claims)
  return kept
}

/** Both together, or undefined if the result has too many alternatives. */
export function both(a: Requirement, b: Requirement): Requirement | undefined {
  if (a.length * b.length > widest) return undefined
  return requirementFrom(a.flatMap((left) => b.map((right) => [...left, ...right])))
}

export function allOf(requirements: readonly Requirement[]): Requirement | undefined {
  let sum: Requirement | undefined = always
  for (const requirement of requirements) {
    sum = both(sum, requirement)
    if (sum === undefined) return undefined
  }
  return sum
}

/** Whether a caller who meets `given` meets `needed` as well. */
export function implies(given: Requirement, needed: Requirement): boolean {
  return given.every((claims) => needed.some((other) => contains(claims, other)))
}

export const isMet = (requirement: Requirement, holds: (claim: Claim) => boolean): boolean =>
  requirement.some((claims) => claims.every(holds))

const namesIn = (claims: readonly Claim[], kind: string): string[] =>
  claims.filter((claim) => claim.startsWith(kind)).map((claim) => claim.slice(kind.length))

export const scopesIn = (claims: readonly Claim[]): string[] => namesIn(claims, 'scope:')
export const policiesIn = (claims: readonly Claim[]): string[] => namesIn(claims, 'policy:')
