/**
 * Closes the fields that could reveal protected values. Each gets the rules of the fields that it requires, written
 * into the document, so that every reader of the graph's rules sees them.
 */
import type { ConstDirectiveNode, DocumentNode } from 'graphql'
import {
  type DirectiveNames,
  directiveNames,
  type KnownDirective,
} from '../../../engine/supergraph/directives.ts'
import { append } from '../../../shared/runtime/maps.ts'
import { memoByObject } from '../../../shared/runtime/memo.ts'
import { findLeaks, type Leak } from './leaks.ts'
import { authenticated, policiesIn, type Requirement, scopesIn } from './requirement.ts'
import { stepUpsIn } from './step-up.ts'
import { directiveNode, withDirectives } from './write-directives.ts'

interface Closed {
  /** The same object if nothing had to be closed. */
  readonly document: DocumentNode
  /** The leaks that were closed. */
  readonly leaks: readonly Leak[]
}

/** A field that requires a field closed here is closed in the next round; this is the longest chain. */
const mostTurns = 100

/** Throws if the chain of requirements is too long. */
export const withoutLeaks = memoByObject((document: DocumentNode): Closed => {
  const names = directiveNames(document)
  let closed = document
  const all: Leak[] = []
  for (let turn = 0; turn < mostTurns; turn++) {
    const leaks = findLeaks(closed)
    if (leaks.length === 0) return { document: closed, leaks: all }
    all.push(...leaks)
    closed = withRules(closed, leaks, names)
  }
  throw new Error(`The fields of the supergraph require each other more than ${mostTurns} times in a row.`)
})

function withRules(document: DocumentNode, leaks: readonly Leak[], names: DirectiveNames): DocumentNode {
  const missing = new Map<string, ConstDirectiveNode[]>()
  for (const { field, lacking } of leaks)
    for (const requirement of lacking) append(missing, field, directiveOf(requirement, names))
  return withDirectives(document, (coordinate) => missing.get(coordinate) ?? [])
}

/** Each requirement was read from one directive, so one directive can express it. */
function directiveOf(requirement: Requirement, names: DirectiveNames): ConstDirectiveNode {
  const written = (directive: KnownDirective, given: Readonly<Record<string, unknown>>) => {
    const [name = directive] = names[directive]
    return directiveNode(name, given)
  }
  const claims = requirement.flat()
  const [stepUp] = stepUpsIn(claims)
  if (stepUp !== undefined) return written('stepUp', { ...stepUp })
  if (claims.every((claim) => claim === authenticated)) return written('authenticated', {})
  const scopes = requirement.map(scopesIn)
  return scopes.some((each) => each.length > 0)
    ? written('requiresScopes', { scopes })
    : written('policy', { policies: requirement.map(policiesIn) })
}
