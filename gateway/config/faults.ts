/**
 * What is wrong with a value, in one line each: the path, what was expected, and what an unknown key probably meant. No
 * value is repeated.
 */
import { z } from 'zod'
import { didYouMean } from '../settings/did-you-mean.ts'
import { bare } from '../settings/index.ts'

interface ValueFault {
  readonly path: readonly (string | number)[]
  /** Whether the key itself is wrong, and not its value. */
  readonly key: boolean
  readonly message: string
}

export function valueFaults(schema: z.core.$ZodType, issues: readonly z.core.$ZodIssue[]): ValueFault[] {
  return issues.flatMap((issue): ValueFault[] => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path)
      return issue.keys.map((key) => ({
        path: [...path, key],
        key: true,
        message: `no such key${didYouMean(key, known) || listOf(known)}`,
      }))
    }
    if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
      // The alternative that matched furthest shows best what was meant.
      const [closest] = issue.errors
        .filter((errors) => errors.length > 0)
        .sort((a, b) => weightOf(a) - weightOf(b))
      if (closest === undefined) return [{ path, key: false, message: plain(issue.message) }]
      return valueFaults(
        schema,
        closest.map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
      )
    }
    if (issue.code === 'invalid_type' && ['object', 'record'].includes(issue.expected))
      return [{ path, key: false, message: sectionOf(keysAt(schema, issue.path)) }]
    return [{ path, key: false, message: plain(issue.message) }]
  })
}

/** What is expected instead of a text or a number; no keys are known of a mapping by names. */
const sectionOf = (known: readonly string[]): string =>
  known.length === 0 ? 'expected a mapping' : `expected a mapping with ${known.slice(0, 20).join(', ')}`

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
function keysAt(schema: z.core.$ZodType, [step, ...below]: readonly PropertyKey[]): string[] {
  const at = bare(schema)
  if (at instanceof z.ZodUnion)
    return [
      ...new Set(at.options.flatMap((option) => keysAt(option, step === undefined ? [] : [step, ...below]))),
    ]
  if (at instanceof z.ZodObject) {
    if (step === undefined) return Object.keys(at.shape)
    const next = at.shape[String(step)]
    return next === undefined ? [] : keysAt(next, below)
  }
  if (step === undefined) return []
  if (at instanceof z.ZodRecord) return keysAt(at.valueType, below)
  return at instanceof z.ZodArray ? keysAt(at.element, below) : []
}
