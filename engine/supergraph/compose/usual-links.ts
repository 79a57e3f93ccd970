/**
 * Writes the links of a subgraph as the composer knows them. It overlooks `@link` under another name, the federation
 * feature under another namespace, imported types, and directives that are linked by their own feature. If the subgraph defines these
 * directives, the composer would take them for the subgraph's own, and leave out what they hide or protect.
 */
import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type DocumentNode,
  Kind,
  type NameNode,
  visit,
} from 'graphql'
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

/** The types of the federation feature, of which the composer knows the import of the first one. */
const types = ['FieldSet', 'Scope', 'Policy', 'ContextFieldValue'] as const

interface Renames {
  /** Of directives. */
  readonly names: Map<string, string>
  /** Of imported types. */
  readonly typeNames: Map<string, string>
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
  const renames: Renames = {
    names: new Map(),
    typeNames: new Map(),
    namespaces: new Map(),
    dropped: new Map(),
  }
  for (const feature of features) collect(feature, federation, renames)
  const { names, typeNames, namespaces, dropped } = renames
  const link = features.find(({ name }) => name === 'link')
  /** The arguments of links that give other names. */
  const namesIn = new Map<string | undefined, readonly string[]>([
    [federation.url, ['as']],
    [link?.url ?? '', ['as', 'import']],
  ])
  if (names.size + typeNames.size + namespaces.size === 0) return document

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
    isDropped(node.name) ? null : renamed(node, typeNames.get(node.name.value))
  return visit(document, {
    Directive(written) {
      // Variables do not occur in definitions.
      const node = written as ConstDirectiveNode
      const url = textOf(argument(node, 'url'))
      if (url !== undefined && dropped.has(url)) return null
      const { arguments: given = [], ...rest } = renamed(node, names.get(node.name.value))
      const unusual = namesIn.get(url) ?? []
      const usualArguments = given.filter(({ name }) => !unusual.includes(name.value))
      return {
        ...rest,
        arguments: url === federation.url ? usualArguments.map(withoutTypes) : usualArguments,
      }
    },
    DirectiveDefinition: (node) =>
      names.get(node.name.value)?.startsWith('federation__') === true || isDropped(node.name)
        ? null
        : renamed(node, names.get(node.name.value)),
    NamedType: (node) => renamed(node, typeNames.get(node.name.value)),
    ScalarTypeDefinition: type,
    EnumTypeDefinition: type,
  })
}

function collect({ url, name, namespace, imports }: Feature, federation: Feature, renames: Renames): void {
  const { names, typeNames, namespaces, dropped } = renames
  const usualNamespace = name === 'link' || name === 'federation'
  if (usualNamespace && namespace !== name) namespaces.set(namespace, name)
  const link = imports.get('@link')?.slice(1) ?? namespace
  if (name === 'link' && link !== 'link') names.set(link, 'link')
  if (name === 'federation')
    for (const type of types) {
      const local = imports.get(type)
      if (local !== undefined) typeNames.set(local, `federation__${type}`)
    }
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

/** The arguments of the link to the federation feature, of which `import` names no types any more. */
function withoutTypes(given: ConstArgumentNode): ConstArgumentNode {
  if (given.name.value !== 'import' || given.value.kind !== Kind.LIST) return given
  const values = given.value.values.filter((item) => {
    const name = textOf(item.kind === Kind.OBJECT ? argument({ arguments: item.fields }, 'name') : item)
    return !types.some((type) => type === name)
  })
  return { ...given, value: { ...given.value, values } }
}
