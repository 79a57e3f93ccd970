/**
 * Writes the links of a subgraph as the composer knows them. It overlooks `@link` under another name, the federation
 * feature under another namespace, and directives that are linked by their own feature. If the subgraph defines these
 * directives, the composer would take them for the subgraph's own, and leave out what they hide or protect.
 */
import { type ConstDirectiveNode, type DirectiveNode, type DocumentNode, type NameNode, visit } from 'graphql'
import { argument, type Feature, featuresOf, textOf } from '../features.ts'

/** The directives of the features that the federation feature contains. */
const contained: ReadonlyMap<string, readonly string[]> = new Map([
  ['authenticated', ['authenticated']],
  ['context', ['context', 'fromContext']],
  ['cost', ['cost', 'listSize']],
  ['inaccessible', ['inaccessible']],
  ['policy', ['policy']],
  ['requiresScopes', ['requiresScopes']],
  ['tag', ['tag']],
])

interface Renames {
  /** Of directives. */
  readonly names: Map<string, string>
  /** Of namespaces, in front of `__`. */
  readonly namespaces: Map<string, string>
  /** Links that go, and namespaces whose definitions go with them. */
  readonly dropped: Map<string, string>
}

/** The document itself if its links are usual. */
export function withUsualLinks(document: DocumentNode): DocumentNode {
  const features = featuresOf(document).filter(({ official }) => official)
  const federation = features.find(({ name }) => name === 'federation')
  if (federation === undefined) return document
  const renames: Renames = { names: new Map(), namespaces: new Map(), dropped: new Map() }
  for (const feature of features) collect(feature, federation, renames)
  const { names, namespaces, dropped } = renames
  const link = features.find(({ name }) => name === 'link')
  /** The arguments of links that give other names. */
  const namesIn = new Map<string | undefined, readonly string[]>([
    [federation.url, ['as']],
    [link?.url ?? '', ['as', 'import']],
  ])
  if (names.size + namespaces.size === 0) return document

  const usual = ({ value }: NameNode, known: string | undefined): string => {
    const [namespace = '', ...rest] = value.split('__')
    const other = rest.length > 0 ? namespaces.get(namespace) : undefined
    return known ?? (other === undefined ? value : [other, ...rest].join('__'))
  }
  const renamed = <Node extends { readonly name: NameNode }>(node: Node, known?: string): Node => ({
    ...node,
    name: { ...node.name, value: usual(node.name, known) },
  })
  const isDropped = ({ value }: NameNode): boolean =>
    [...dropped.values()].some((namespace) => value.startsWith(`${namespace}__`))
  const type = <Node extends { readonly name: NameNode }>(node: Node): Node | null =>
    isDropped(node.name) ? null : renamed(node)
  return visit(document, {
    Directive(node: DirectiveNode) {
      const url = textOf(argument(node as ConstDirectiveNode, 'url'))
      if (url !== undefined && dropped.has(url)) return null
      const { arguments: given = [], ...rest } = renamed(node, names.get(node.name.value))
      const unusual = namesIn.get(url) ?? []
      return { ...rest, arguments: given.filter(({ name }) => !unusual.includes(name.value)) }
    },
    DirectiveDefinition: (node) =>
      names.get(node.name.value)?.startsWith('federation__') === true || isDropped(node.name)
        ? null
        : renamed(node, names.get(node.name.value)),
    NamedType: (node) => renamed(node),
    ScalarTypeDefinition: type,
    EnumTypeDefinition: type,
  })
}

function collect({ url, name, namespace, imports }: Feature, federation: Feature, renames: Renames): void {
  const { names, namespaces, dropped } = renames
  const usualNamespace = name === 'link' || name === 'federation'
  if (usualNamespace && namespace !== name) namespaces.set(namespace, name)
  const link = imports.get('@link')?.slice(1) ?? namespace
  if (name === 'link' && link !== 'link') names.set(link, 'link')
  const directives = contained.get(name)
  if (directives === undefined) return
  dropped.set(url, namespace)
  for (const directive of directives) {
    const local =
      imports.get(`@${directive}`)?.slice(1) ??
      (directive === name ? namespace : `${namespace}__${directive}`)
    const known = federation.imports.get(`@${directive}`)?.slice(1) ?? `federation__${directive}`
    if (local !== known) names.set(local, known)
  }
}
