/**
 * The faults of a section, in one line each: the place, what was expected, and what an unknown key probably meant. No
 * value is repeated.
 */
import { z } from 'zod'
import { didYouMean } from '../suggestion.ts'

export interface SectionFault {
  /** The path of keys. */
  readonly path: readonly (string | number)[]
  /** Whether the key itself is wrong, and not its value. */
  readonly key: boolean
  readonly message: string
}

export function sectionFaults(
  schema: z.ZodType,
  name: string,
  issues: readonly z.core.$ZodIssue[],
): SectionFault[] {
  return issues.flatMap((issue): SectionFault[] => {
    const path = [name, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))]
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path)
      return issue.keys.map((key) => ({
        path: [...path, key],
        key: true,
        message: `no such key${didYouMean(key, known) || listOf(known)}`,
      }))
    }
    if (issue.code === 'invalid_union') {
      // The alternative that matched furthest shows best what was meant.
      const [closest] = issue.errors
        .filter((errors) => errors.length > 0)
        .sort((a, b) => weightOf(a) - weightOf(b))
      if (closest === undefined) return [{ path, key: false, message: plain(issue.message) }]
      const below = sectionFaults(
        schema,
        name,
        closest.map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
      )
      return below
    }
    return [{ path, key: false, message: plain(issue.message) }]
  })
}

/** An alternative with a missing key was hardly meant; one with a wrong value deeper down was. */
function weightOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (sum, { path, code }) => sum + (code === 'unrecognized_keys' ? 3 : 10) - path.length,
    0,
  )
}

const listOf = (known: readonly string[]): string =>
  known.length === 0 ? '' : `; expected one of ${known.slice(0, 20).join(', ')}`

/** Zod's own messages begin with the fault; ours with what was expected. */
const plain = (message: string): string =>
  message.replace(/^Invalid (input|option): /, '').replace(/^Too (small|big): /, '')

/** The known keys of a schema at a path, over all of its alternatives. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const keys = new Set<string>()
  const visit = (at: z.core.$ZodType, rest: readonly PropertyKey[]): void => {
    if (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodPrefault)
      visit(at.unwrap(), rest)
    else if (at instanceof z.ZodPipe) visit(at.in, rest)
    else if (at instanceof z.ZodUnion) for (const option of at.options) visit(option, rest)
    else if (rest.length === 0) {
      if (at instanceof z.ZodObject) for (const key of Object.keys(at.shape)) keys.add(key)
    } else {
      const [step, ...below] = rest
      if (at instanceof z.ZodObject) {
        const next = at.shape[String(step)]
        if (next !== undefined) visit(next, below)
      } else if (at instanceof z.ZodRecord) visit(at.valueType, below)
      else if (at instanceof z.ZodArray) visit(at.element, below)
    }
  }
  visit(schema, path)
  return [...keys]
}
