/**
 * The names under which a supergraph applies the directives for visibility, access, cost and contexts, and those under
 * which subgraphs say which fields they resolve.
 *
 * A composer may import a directive under another name, or a feature under another namespace. The `@link` directives
 * of the schema say so. A directive that another feature defines is not ours, whatever its name.
 */
import type { DocumentNode } from 'graphql'
import { memoInSteps } from '../../shared/runtime/memo.ts'
import { runToEnd, type Steps } from '../../shared/runtime/steps.ts'
import { eachAppliedDirective } from './applied-directives.ts'
import { featuresOf, localName } from './features.ts'

export const securityDirectives = ['authenticated', 'requiresScopes', 'policy'] as const

/** The features that define each directive. The federation feature, which subgraphs link, defines all of them. */
const homes = {
  authenticated: ['authenticated', 'federation'],
  requiresScopes: ['requiresScopes', 'federation'],
  policy: ['policy', 'federation'],
  cost: ['cost', 'federation'],
  listSize: ['cost', 'federation'],
  context: ['context', 'federation'],
  fromContext: ['context', 'federation'],
  external: ['federation'],
  key: ['federation'],
  provides: ['federation'],
  requires: ['federation'],
  inaccessible: ['inaccessible', 'federation'],
  tag: ['tag', 'federation'],
  // Our own feature, of which only the last segment of the URL counts.
  stepUp: ['stepUp'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type KnownDirective = keyof typeof homes

/** The directives of an official feature that the federation feature defines, too. */
export const sharedDirectives = (feature: string): readonly string[] =>
  Object.entries<readonly string[]>(homes).flatMap(([directive, from]) =>
    feature !== 'federation' && from.includes(feature) && from.includes('federation') ? directive : [],
  )

/** The names of each known directive in a document, without the `@`. */
export type DirectiveNames = Readonly<Record<KnownDirective, ReadonlySet<string>>>

export function directiveNames(document: DocumentNode): DirectiveNames {
  // A feature with an invalid URL has no name.
  const features = featuresOf(document).filter(({ name }) => name !== '')
  // Names that other features define.
  const foreign = new Set<string>()
  for (const feature of features) {
    if (feature.official) continue
    foreign.add(feature.namespace)
    for (const name of feature.imports.values()) if (name.startsWith('@')) foreign.add(name.slice(1))
  }
  const namesOf = (directive: string, from: readonly string[]): ReadonlySet<string> => {
    const names = new Set<string>()
    for (const feature of features) {
      if (!(feature.official || directive === 'stepUp') || !from.includes(feature.name)) continue
      names.add(localName(feature, `@${directive}`).replace(/^@/, ''))
    }
    // The plain name counts if no feature is linked: ignoring a rule would open what it protects.
    if (names.size === 0 && !foreign.has(directive)) names.add(directive)
    return names
  }
  return Object.fromEntries(
    Object.entries(homes).map(([directive, from]) => [directive, namesOf(directive, from)]),
  ) as DirectiveNames
}

/** The names of all applied directives in a document of definitions. Most features occur in few supergraphs. */
export const noticingApplied = memoInSteps(function* (document: DocumentNode): Steps<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const definition of document.definitions) {
    eachAppliedDirective([definition], ({ name }) => names.add(name.value))
    yield
  }
  return names
})

/** Whether a document applies one of these directives under the names that it gives them. */
export function applies(document: DocumentNode, ...directives: readonly ReadonlySet<string>[]): boolean {
  const applied = runToEnd(() => noticingApplied(document))
  return directives.some((names) => [...names].some((name) => applied.has(name)))
}
