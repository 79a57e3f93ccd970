/**
 * Reads the features that a document links by `@link`, or by its predecessor `@core`. A feature that is marked `for:
 * SECURITY` or `for: EXECUTION` changes what may be returned or how. A gateway that does not know it must not start.
 * https://specs.apollo.dev/link/v1.0
 */
import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  Kind,
} from 'graphql'
import { unknownJoinElement } from './join-elements.ts'

export interface Feature {
  readonly url: string
  /** The last URL segment before the version: `requiresScopes` of `https://specs.apollo.dev/requiresScopes/v0.1`. */
  readonly name: string
  /** Whether the Federation specification defines it. */
  readonly official: boolean
  /** The prefix of its elements (`NAMESPACE__`) and the name of its main directive: `as`, or its name. */
  readonly namespace: string
  /** The imported elements: from their name in the feature to their name in the document. Directives begin with `@`. */
  readonly imports: ReadonlyMap<string, string>
  /** `SECURITY` or `EXECUTION`. */
  readonly purpose: string | undefined
}

/** The supported features, with the first and last supported version. */
const known: ReadonlyMap<string, { readonly from: string; readonly to: string }> = new Map([
  ['link', { from: '1.0', to: '1.0' }],
  ['join', { from: '0.3', to: '0.6' }],
  ['inaccessible', { from: '0.1', to: '0.2' }],
  ['authenticated', { from: '0.1', to: '0.1' }],
  ['requiresScopes', { from: '0.1', to: '0.1' }],
  ['policy', { from: '0.1', to: '0.1' }],
  ['context', { from: '0.1', to: '0.1' }],
  ['cost', { from: '0.1', to: '0.1' }],
  ['cacheTag', { from: '0.1', to: '0.1' }],
  ['tag', { from: '0.1', to: '0.3' }],
])

/** Versions of join that Federation 3 writes. Only elements of earlier versions are supported. */
const joinWithMore = { from: '0.6', to: '0.6' }

/** Why this gateway cannot serve the supergraph. Undefined if it can. */
export function unknownFeature(document: DocumentNode): string | undefined {
  for (const { url, official, purpose } of featuresOf(document)) {
    const [, name = '', major = '', minor = ''] = /\/([^/]+)\/v(\d+)\.(\d+)\/?$/.exec(url) ?? []
    const versions = official ? known.get(name) : undefined
    if (name === 'join' && versions !== undefined && !isWithin(`${major}.${minor}`, versions)) {
      return `It is written in join v${major}.${minor}: expected v${versions.from} to v${versions.to}. Compose it again with a composer of Federation 2.3 or a later 2.x.`
    }
    if (name === 'join' && isWithin(`${major}.${minor}`, joinWithMore)) {
      const element = unknownJoinElement(document)
      if (element !== undefined)
        return `It is written in join v${major}.${minor}, of which ${element} is not supported. Compose it again without the feature that needs it.`
    }
    if (purpose === undefined) continue
    if (versions === undefined) {
      return `It needs the feature ${url} (for: ${purpose}), which is not supported.`
    }
    if (!isWithin(`${major}.${minor}`, versions)) {
      return `It needs the feature ${url} (for: ${purpose}): expected v${versions.from} to v${versions.to} of it.`
    }
  }
  return undefined
}

function isWithin(version: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  const compare = (a: string, b: string): number => {
    const [one = [], other = []] = [a, b].map((each) => each.split('.').map(Number))
    return (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0)
  }
  return compare(version, from) >= 0 && compare(version, to) <= 0
}

export function featuresOf(document: DocumentNode): Feature[] {
  const directives: ConstDirectiveNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION)
      directives.push(...(definition.directives ?? []))
  }
  const links = new Set(['link', 'core'])
  // The link feature links itself, possibly under another name.
  for (const directive of directives)
    if (ofLinks.test(addressOf(directive) ?? '')) links.add(directive.name.value)
  return directives.flatMap((directive) =>
    links.has(directive.name.value) ? (featureOf(directive) ?? []) : [],
  )
}

const ofLinks = /^https:\/\/specs\.apollo\.dev\/(?:link|core)\//

function addressOf(directive: ConstDirectiveNode): string | undefined {
  // Supergraphs before join v0.3 link features by @core(feature:).
  return textOf(argument(directive, 'url')) ?? textOf(argument(directive, 'feature'))
}

function featureOf(directive: ConstDirectiveNode): Feature | undefined {
  const url = addressOf(directive)
  if (url === undefined) return undefined
  const address = URL.canParse(url) ? new URL(url) : undefined
  const parts = (address?.pathname ?? '').split('/').filter((part) => part !== '')
  if (/^v\d+(\.\d+)*$/.test(parts.at(-1) ?? '')) parts.pop()
  const name = parts.at(-1) ?? ''
  const purpose = argument(directive, 'for')
  return {
    url,
    name,
    official: address?.hostname === 'specs.apollo.dev' && parts.length === 1,
    namespace: textOf(argument(directive, 'as')) ?? name,
    imports: importsOf(argument(directive, 'import')),
    purpose: purpose?.kind === Kind.ENUM ? purpose.value : undefined,
  }
}

/** A node with arguments: a directive, or `{ arguments: fields }` for an object. */
export interface WithArguments {
  readonly arguments?: readonly Pick<ConstArgumentNode, 'name' | 'value'>[] | undefined
}

export function argument({ arguments: given = [] }: WithArguments, name: string): ConstValueNode | undefined {
  return given.find((candidate) => candidate.name.value === name)?.value
}

export function textOf(value: ConstValueNode | undefined): string | undefined {
  return value?.kind === Kind.STRING ? value.value : undefined
}

/** The name in the feature of what an item of `import` names: `"@key"`, or `{ name: "@shareable", as: "@common" }`. */
const importedName = (item: ConstValueNode): string | undefined =>
  textOf(item.kind === Kind.OBJECT ? argument({ arguments: item.fields }, 'name') : item)

function importsOf(value: ConstValueNode | undefined): Map<string, string> {
  const imports = new Map<string, string>()
  if (value?.kind !== Kind.LIST) return imports
  for (const item of value.values) {
    const name = importedName(item)
    const as = item.kind === Kind.OBJECT ? textOf(argument({ arguments: item.fields }, 'as')) : undefined
    if (name !== undefined) imports.set(name, as ?? name)
  }
  return imports
}

/** The link without the imports whose names in the feature `keep` refuses. */
export function withImports(link: ConstDirectiveNode, keep: (name: string) => boolean): ConstDirectiveNode {
  return {
    ...link,
    arguments: (link.arguments ?? []).map((given) => {
      if (given.name.value !== 'import' || given.value.kind !== Kind.LIST) return given
      const values = given.value.values.filter((item) => {
        const name = importedName(item)
        return name === undefined || keep(name)
      })
      return { ...given, value: { ...given.value, values } }
    }),
  }
}

/** The name of a feature's element in the document. Directives begin with `@`. */
export function localName({ name, namespace, imports }: Feature, element: string): string {
  return (
    imports.get(element) ?? (element === `@${name}` ? `@${namespace}` : namespacedName(namespace, element))
  )
}

/** `@fed__key` for `@key` in `fed`. */
export const namespacedName = (namespace: string, element: string): string =>
  element.startsWith('@') ? `@${namespace}__${element.slice(1)}` : `${namespace}__${element}`
