/**
 * Under which names a supergraph applies the directives that say what is hidden, for whom, and what it costs.
 *
 * A composer may import a directive under another name, or put its whole feature under one; both are said by the links
 * on the schema. A directive that some other feature owns is not ours, whatever it is called.
 */
import type { DocumentNode } from 'graphql'
import { featuresOf } from './features.ts'

export const securityDirectives = ['authenticated', 'requiresScopes', 'policy'] as const
export const costDirectives = ['cost', 'listSize'] as const
export type KnownDirective =
  | (typeof securityDirectives)[number]
  | (typeof costDirectives)[number]
  | 'inaccessible'
  | 'tag'
  | 'stepUp'

/** Each known directive's names in one document, without the `@`. */
export type DirectiveNames = Readonly<Record<KnownDirective, ReadonlySet<string>>>

/** The feature that defines each directive; the federation feature, which subgraphs link, defines all. */
const homes: Readonly<Record<KnownDirective, readonly string[]>> = {
  authenticated: ['authenticated', 'federation'],
  requiresScopes: ['requiresScopes', 'federation'],
  policy: ['policy', 'federation'],
  cost: ['cost', 'federation'],
  listSize: ['cost', 'federation'],
  inaccessible: ['inaccessible', 'federation'],
  tag: ['tag', 'federation'],
  // Ours, of which only the last part of the address counts.
  stepUp: ['stepUp'],
}

export function directiveNames(document: DocumentNode): DirectiveNames {
  // One whose address is none has no name.
  const features = featuresOf(document).filter(({ name }) => name !== '')
  // Names that a feature other than the official ones has taken: not ours to read.
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
    // Nothing links it: the plain name still counts. To ignore a rule would open what it shuts.
    if (names.size === 0 && !foreign.has(directive)) names.add(directive)
    return names
  }
  return {
    authenticated: namesOf('authenticated'),
    requiresScopes: namesOf('requiresScopes'),
    policy: namesOf('policy'),
    cost: namesOf('cost'),
    listSize: namesOf('listSize'),
    inaccessible: namesOf('inaccessible'),
    tag: namesOf('tag'),
    stepUp: namesOf('stepUp'),
  }
}
