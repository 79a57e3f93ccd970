/**
 * Fields that require a fresh or a stronger sign-in (RFC 9470): `@stepUp(acrValues: […], maxAge: SECONDS)`. The
 * requirement becomes a claim, which a caller holds by the `acr` and `auth_time` of the token. `auth_time` depends on
 * the current time, so it is decided for each request.
 */

import type { ConstDirectiveNode } from 'graphql'
import { argumentsOf } from '../../../shared/graphql/literals.ts'
import type { Identity } from '../../../shared/identity.ts'
import type { Claim } from './requirement.ts'

export interface StepUp {
  /** Authentication context classes, any of which is sufficient, the preferred one first; empty means any. */
  readonly acrValues: readonly string[]
  /** The maximum age of the sign-in, in seconds; undefined means any. */
  readonly maxAge: number | undefined
}

const prefix = 'stepUp:'

export function stepUpClaim({ acrValues, maxAge }: StepUp): Claim {
  return `${prefix}${JSON.stringify([acrValues, maxAge ?? null])}`
}

export function stepUpFrom(claim: Claim): StepUp | undefined {
  if (!claim.startsWith(prefix)) return undefined
  const [acrValues, maxAge] = JSON.parse(claim.slice(prefix.length)) as [string[], number | null]
  return { acrValues, maxAge: maxAge ?? undefined }
}

export function stepUpsIn(claims: readonly Claim[]): StepUp[] {
  return claims.flatMap((claim) => stepUpFrom(claim) ?? [])
}

export function stepUpOf(directive: ConstDirectiveNode): StepUp {
  const { acrValues, maxAge } = argumentsOf(directive)
  return {
    acrValues: [acrValues].flat(Number.POSITIVE_INFINITY).filter((value) => typeof value === 'string'),
    maxAge: typeof maxAge === 'number' ? maxAge : undefined,
  }
}

/** Whether the caller's sign-in meets the requirement. A token without the claim does not. */
export function meetsStepUp({ acrValues, maxAge }: StepUp, identity: Identity, now: number): boolean {
  if (!identity.authenticated) return false
  const { acr, auth_time: signedInAt } = identity.claims
  if (acrValues.length > 0 && !(typeof acr === 'string' && acrValues.includes(acr))) return false
  if (maxAge === undefined) return true
  // In whole seconds, as `auth_time` is: an authorization server would accept a sign-in that has just become too old.
  return typeof signedInAt === 'number' && Math.floor(now / 1000) - signedInAt <= maxAge
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

function timeInWords(seconds: number): string {
  for (const [size, unit] of units)
    if (seconds >= size && seconds % size === 0) {
      const count = seconds / size
      return count === 1 ? unit : `${count} ${unit}s`
    }
  return seconds === 1 ? 'second' : `${seconds} seconds`
}

/** "a sign-in of the last 5 minutes", "a sign-in by `urn:strong`". */
export function stepUpInWords({ acrValues, maxAge }: StepUp): string {
  const age = maxAge === undefined ? '' : ` of the last ${timeInWords(maxAge)}`
  const by = acrValues.length === 0 ? '' : ` by ${acrValues.map((value) => `\`${value}\``).join(' or ')}`
  return `a sign-in${age}${by}`
}
