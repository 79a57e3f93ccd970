/**
 * Under which names a supergraph applies the authorization directives.
 *
 * A composer may import a directive under another name, or put its whole feature under one; both are said by
 * `@link` (or the older `@core`) on the schema. Hides that grammar and answers with the names to look for.
 * A directive that some other feature owns is not ours, whatever it is called.
 */
import { type ConstDirectiveNode, type ConstValueNode, type DocumentNode, Kind } from 'graphql'

export const securityDirectives = ['authenticated', 'requiresScopes', 'policy'] as const
export const costDirectives = ['cost', 'listSize'] as const
export type KnownDirective = (typeof securityDirectives)[number] | (typeof costDirectives)[number] | 'stepUp'

/** Each known directive's names in one document, without the `@`. */
export type DirectiveNames = Readonly<Record<KnownDirective, ReadonlySet<string>>>

interface Feature {
  /** The last part of the identity: `requiresScopes` of `https://specs.apollo.dev/requiresScopes/v0.1`. */
  readonly name: string
  readonly official: boolean
  /** What its elements are prefixed with. */
  readonly namespace: string
  readonly imports: ReadonlyMap<string, string>
}

export function argument(directive: ConstDirectiveNode, name: string): ConstValueNode | undefined {
  return directive.arguments?.find((candidate) => candidate.name.value === name)?.value
}

function text(value: ConstValueNode | undefined): string | undefined {
  return value?.kind === Kind.STRING ? value.value : undefined
}

/** The imported elements, by their name in the feature; values are their names in the document. */
function importsOf(value: ConstValueNode | undefined): Map<string, string> {
  const imports = new Map<string, string>()
  if (value?.kind !== Kind.LIST) return imports
  for (const item of value.values) {
    if (item.kind === Kind.STRING) imports.set(item.value, item.value)
    if (item.kind !== Kind.OBJECT) continue
    const field = (name: string) => text(item.fields.find((each) => each.name.value === name)?.value)
    const name = field('name')
    if (name !== undefined) imports.set(name, field('as') ?? name)
  }
  return imports
}

function featureOf(directive: ConstDirectiveNode): Feature | undefined {
  const address = text(argument(directive, 'url')) ?? text(argument(directive, 'feature'))
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  const parts = url.pathname.split('/').filter((part) => part !== '')
  if (/^v\d+(\.\d+)*$/.test(parts.at(-1) ?? '')) parts.pop()
  const name = parts.at(-1)
  if (name === undefined) return undefined
  return {
    name,
    official: url.hostname === 'specs.apollo.dev' && parts.length === 1,
    namespace: text(argument(directive, 'as')) ?? name,
    imports: importsOf(argument(directive, 'import')),
  }
}

/** The feature that defines each directive; the federation feature, which subgraphs link, defines all. */
const homes: Readonly<Record<KnownDirective, readonly string[]>> = {
  authenticated: ['authenticated', 'federation'],
  requiresScopes: ['requiresScopes', 'federation'],
  policy: ['policy', 'federation'],
  cost: ['cost', 'federation'],
  listSize: ['cost', 'federation'],
  // Ours, of which only the last part of the address counts.
  stepUp: ['stepUp'],
}

export function directiveNames(document: DocumentNode): DirectiveNames {
  const features: Feature[] = []
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue
    for (const directive of definition.directives ?? []) {
      const feature = featureOf(directive)
      if (feature !== undefined) features.push(feature)
    }
  }
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
    stepUp: namesOf('stepUp'),
  }
}
