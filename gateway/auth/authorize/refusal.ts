/**
 * The message to a caller about a refused field: which field, what it requires, what is missing.
 *
 * It names scopes and policies, which are words of the schema, and never anything of the token.
 */
import { GraphQLError } from 'graphql'
import { MissingAuthorization } from '../challenge.ts'
import type { AccessRequirements } from './access-rules.ts'
import { allOf, authenticated, type Claim, policiesIn, type Requirement, scopesIn } from './requirement.ts'
import { stepUpInWords, stepUpsIn } from './step-up.ts'

interface Explained {
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

const quoted = (names: readonly string[]): string[] => names.map((name) => `\`${name}\``)

function sentence(items: readonly string[], word: 'and' | 'or'): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}

/** One alternative in words: "`a` and `b`", "the policy `p`", "a signed-in caller". */
function claimsInWords(claims: readonly Claim[]): string {
  const parts = quoted(scopesIn(claims))
  parts.push(...quoted(policiesIn(claims)).map((policy) => `the policy ${policy}`))
  parts.push(...stepUpsIn(claims).map(stepUpInWords))
  if (parts.length === 0 && claims.includes(authenticated)) parts.push('a signed-in caller')
  return sentence(parts, 'and')
}

/** "`a` and `b`", "`a` or `b`", "(`a` and `b`) or `c`"; empty if nothing is required. */
export function requirementInWords(requirement: Requirement): string {
  const alternatives = [...new Set(requirement.map(claimsInWords))]
  if (alternatives.includes('')) return ''
  if (alternatives.length === 1) return alternatives[0] ?? ''
  return sentence(
    alternatives.map((words) => (words.includes(' and ') ? `(${words})` : words)),
    'or',
  )
}

function distinct(lists: readonly (readonly string[])[]): string[][] {
  const seen = new Map(lists.map((list) => [JSON.stringify(list), [...list]]))
  return [...seen.values()]
}

/** Explains one refused field. `holds` says which of the operation's claims the caller has. */
export function explain(
  coordinate: string,
  requirements: AccessRequirements,
  holds: (claim: Claim) => boolean,
): Explained {
  // Too many alternatives to spell out together: the message names only the first unmet rule.
  const required =
    allOf(requirements) ??
    requirements.find((rule) => !rule.some((claims) => claims.every(holds))) ??
    requirements[0] ??
    []
  const gaps = required.map((claims) => claims.filter((claim) => !holds(claim)))
  const [missing = []] = gaps.sort((a, b) => a.length - b.length)
  const signedIn = holds(authenticated)
  const policies = distinct(required.map(policiesIn)).filter((list) => list.length > 0)
  const authorization = new MissingAuthorization({
    signedIn,
    required: distinct(required.map(scopesIn)),
    missing: scopesIn(missing),
    signIns: stepUpsIn(missing),
    ...(policies.length > 0 ? { policies: { required: policies, missing: policiesIn(missing) } } : {}),
  })
  const needs = requirementInWords(required) || 'more than this caller has'
  const lacks = claimsInWords(missing)
  const hint = !signedIn
    ? 'The request carries no token.'
    : lacks !== '' && lacks !== needs
      ? `This caller lacks ${lacks}.`
      : `This caller lacks ${missing.length > 1 ? 'them' : 'it'}.`
  return {
    message: `${coordinate} requires ${needs}. ${hint}`,
    extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE', authorization },
  }
}

/** The error of a refusal whose place in the response is known only by response keys. */
export function refusalError(explained: Explained, path: readonly string[]): GraphQLError {
  return new GraphQLError(explained.message, { path, extensions: { ...explained.extensions } })
}
