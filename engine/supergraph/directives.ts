/**
 * The names under which a supergraph applies the directives for visibility, access and cost, and subgraphs `@external`.
 *
 * A composer may import a directive under another name, or a feature under another namespace. The `@link` directives
 * of the schema say so. A directive that another feature defines is not ours, whatever its name.
 */
import type { DocumentNode } from 'graphql'
import { memoInSteps } from '../../shared/runtime/memo.ts'
import { runToEnd, type Steps } from '../../shared/runtime/steps.ts'
import { eachApplied } from './applied.ts'
import { featuresOf } from './features.ts'

export const securityDirectives = ['authenticated', 'requiresScopes', 'policy'] as const
export const costDirectives = ['cost', 'listSize'] as const
export type KnownDirective =
  | (typeof securityDirectives)[number]
  | (typeof costDirectives)[number]
  | 'external'
  | 'inaccessible'
  | 'tag'
  | 'stepUp'

/** The names of each known directive in a document, without the `@`. */
export type DirectiveNames = Readonly<Record<KnownDirective, ReadonlySet<string>>>

/** The features that define each directive. The federation feature, which subgraphs link, defines all of them. */
const homes: Readonly<Record<KnownDirective, readonly string[]>> = {
  authenticated: ['authenticated', 'federation'],
  requiresScopes: ['requiresScopes', 'federation'],
  policy: ['policy', 'federation'],
  cost: ['cost', 'federation'],
  listSize: ['cost', 'federation'],
  external: ['federation'],
  inaccessible: ['inaccessible', 'federation'],
  tag: ['tag', 'federation'],
  // Our own feature, of which only the last segment of the URL counts.
  stepUp: ['stepUp'],
}

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
  const namesOf = (directive: KnownDirective): ReadonlySet<string> => {
    const names = new Set<string>()
    for (const feature of features) {
      if (!(feature.official || directive === 'stepUp') || !homes[directive].includes(feature.name)) continue
      const imported = feature.imports.get(`@${directive}`)
      if (imported !== undefined) names.add(imported.replace(/^@/, ''))
      else names.add(feature.name === directive ? feature.namespace : `${feature.namespace}__${directive}`)
    }
    // The plain name counts if no feature is linked: ignoring a rule would open what it protects.
    if (names.size === 0 && !foreign.has(directive)) names.add(directive)
    return names
  }
  return {
    authenticated: namesOf('authenticated'),
    requiresScopes: namesOf('requiresScopes'),
    policy: namesOf('policy'),
    cost: namesOf('cost'),
    listSize: namesOf('listSize'),
    external: namesOf('external'),
    inaccessible: namesOf('inaccessible'),
    tag: namesOf('tag'),
    stepUp: namesOf('stepUp'),
  }
}

/** The names of all applied directives in a document of definitions. Most features occur in few supergraphs. */
export const appliedDirectives = (document: DocumentNode): ReadonlySet<string> =>
  runToEnd(() => noticingApplied(document))

/** The same in steps. */
export const noticingApplied = memoInSteps(function* (document: DocumentNode): Steps<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const definition of document.definitions) {
    eachApplied([definition], ({ name }) => names.add(name.value))
    yield
  }
  return names
})

/** Whether a document applies one of these directives under the names that it gives them. */
export function applies(document: DocumentNode, ...directives: readonly ReadonlySet<string>[]): boolean {
  const applied = appliedDirectives(document)
  return directives.some((names) => [...names].some((name) => applied.has(name)))
}
