/**
 * Writes the links of a subgraph as the composer knows them. It overlooks `@link` under another name, the federation
 * feature under another namespace, and directives that are linked by their own feature, and refuses imports of most
 * types. If the subgraph defines these directives, the composer would take them for the subgraph's own, and leave out
 * what they hide or protect.
 */
import { type ConstDirectiveNode, type DocumentNode, type NameNode, visit } from 'graphql'
import { sharedDirectives } from '../directives.ts'
import {
  argument,
  type Feature,
  featuresOf,
  localName,
  namespacedName,
  textOf,
  withImports,
} from '../features.ts'
import { federationElements } from './versions.ts'

const isDirective = (element: string): boolean => element.startsWith('@')
const federationTypes = [...federationElements].filter((element) => !isDirective(element))

/** The document itself if its links are usual. */
export function withUsualLinks(document: DocumentNode): DocumentNode {
  const official = featuresOf(document).filter((feature) => feature.official)
  const hasFederation = official.some(({ name }) => name === 'federation')
  // The composer does not know @link without the federation feature, and the subgraph has to define it.
  const features = official.filter(({ name }) => hasFederation || name !== 'link')
  if (!features.some(isUnusual)) return document
  /** From names in the document to those that the composer knows. */
  const known = new Map<string, string>()
  /** What the composer defines itself, by the names in the document. */
  const defined = new Set<string>()
  for (const feature of features) {
    const imported = new Set(feature.imports.values())
    for (const element of elementsOf(feature)) {
      const isFederated = hasFederation && feature.name !== 'link'
      const usual = isFederated ? namespacedName('federation', element) : element
      for (const name of [localName(feature, element), namespacedName(feature.namespace, element)]) {
        defined.add(name)
        // The composer knows what is imported from the federation feature.
        if (feature.name !== 'federation' || !imported.has(name)) known.set(name, usual)
      }
    }
  }
  const linked = visit(document, {
    Directive(node) {
      const value = known.get(`@${node.name.value}`)?.slice(1) ?? node.name.value
      // Variables do not occur in definitions.
      const renamed = { ...(node as ConstDirectiveNode), name: { ...node.name, value } }
      const url = textOf(argument(renamed, 'url'))
      const feature = features.find((each) => each.url === url)
      return feature === undefined ? renamed : usualLink(renamed, feature)
    },
    DirectiveDefinition: (node) => (defined.has(`@${node.name.value}`) ? null : undefined),
  })
  // The subgraph may have other uses for the types.
  const used = new Set<string>()
  visit(linked, { NamedType: ({ name }) => void used.add(name.value) })
  const withoutDefined = ({ name }: { readonly name: NameNode }): null | undefined =>
    defined.has(name.value) && !used.has(name.value) ? null : undefined
  return visit(linked, { ScalarTypeDefinition: withoutDefined, EnumTypeDefinition: withoutDefined })
}

function isUnusual(feature: Feature): boolean {
  const { name, namespace, imports } = feature
  if (name === 'link') return localName(feature, '@link') !== '@link'
  if (name !== 'federation') return sharedDirectives(name).length > 0
  return namespace !== name || federationTypes.some((type) => imports.has(type))
}

/** The elements that the composer knows. */
function elementsOf({ name }: Feature): Iterable<string> {
  if (name === 'link') return ['@link', 'Import', 'Purpose']
  if (name === 'federation') return federationElements
  const shared = sharedDirectives(name).map((directive) => `@${directive}`)
  return shared.length > 0 ? [...shared, ...federationTypes] : []
}

/** The link as the composer knows it. It needs none to a feature that the federation feature contains. */
function usualLink(link: ConstDirectiveNode, { name }: Feature): ConstDirectiveNode | null {
  if (sharedDirectives(name).length > 0) return null
  const without = (...names: readonly string[]): ConstDirectiveNode => ({
    ...link,
    arguments: link.arguments?.filter((given) => !names.includes(given.name.value)) ?? [],
  })
  if (name === 'link') return without('as', 'import')
  return name === 'federation' ? withImports(without('as'), isDirective) : link
}
