/**
 * The features that a supergraph links. One that is marked `for: SECURITY` or `for: EXECUTION` changes what may be
 * answered, or how: a gateway that does not know it must not start. https://specs.apollo.dev/link/v1.0
 */
import { type ConstDirectiveNode, type ConstValueNode, type DocumentNode, Kind } from 'graphql'

export interface Feature {
  readonly url: string
  /** The last part of its URL before the version; its types and directives are named `NAME__…` or `@NAME`. */
  readonly name: string
  /** By what name the document knows it in place of that one. */
  readonly as: string | undefined
  /** What the document names without that prefix, under the names that it has there; directives begin with `@`. */
  readonly imports: readonly string[]
  readonly purpose: string | undefined
}

/** Features that are understood, and from which to which version of theirs. */
const known: ReadonlyMap<string, { readonly from: string; readonly to: string }> = new Map([
  ['link', { from: '1.0', to: '1.0' }],
  ['join', { from: '0.3', to: '0.5' }],
  ['inaccessible', { from: '0.1', to: '0.2' }],
  ['authenticated', { from: '0.1', to: '0.1' }],
  ['requiresScopes', { from: '0.1', to: '0.1' }],
  ['policy', { from: '0.1', to: '0.1' }],
  ['context', { from: '0.1', to: '0.1' }],
  ['cost', { from: '0.1', to: '0.1' }],
  ['tag', { from: '0.1', to: '0.3' }],
])

/** What keeps this gateway from serving the supergraph; undefined where nothing does. */
export function unknownFeature(document: DocumentNode): string | undefined {
  for (const { url, name, purpose } of featuresOf(document)) {
    const [, major = '', minor = ''] = /\/v(\d+)\.(\d+)\/?$/.exec(url) ?? []
    const versions = known.get(name)
    if (name === 'join' && versions !== undefined && !isWithin(`${major}.${minor}`, versions)) {
      return `It is written in join v${major}.${minor}: expected v${versions.from} to v${versions.to}. Compose it again with a Federation 2 composer.`
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
  return directives.flatMap((directive): Feature[] => {
    // Supergraphs before join v0.3 named their features by @core(feature:).
    if (directive.name.value !== 'link' && directive.name.value !== 'core') return []
    const args = new Map((directive.arguments ?? []).map(({ name, value }) => [name.value, value]))
    const url = textOf(args.get('url') ?? args.get('feature'))
    if (url === undefined) return []
    const [, name = ''] = /([^/]+?)(?:\/v\d+\.\d+)?\/?$/.exec(url) ?? []
    const imported = args.get('import')
    const imports = imported?.kind === Kind.LIST ? imported.values.flatMap(importedName) : []
    const purpose = args.get('for')
    return [
      {
        url,
        name,
        as: textOf(args.get('as')),
        imports,
        purpose: purpose?.kind === Kind.ENUM ? purpose.value : undefined,
      },
    ]
  })
}

function textOf(value: ConstValueNode | undefined): string | undefined {
  return value?.kind === Kind.STRING ? value.value : undefined
}

/** Of `"@key"` and of `{ name: "@key", as: "@primaryKey" }`. */
function importedName(value: ConstValueNode): string[] {
  if (value.kind === Kind.STRING) return [value.value]
  if (value.kind !== Kind.OBJECT) return []
  const fields = new Map(value.fields.map((field) => [field.name.value, textOf(field.value)]))
  return [fields.get('as') ?? fields.get('name') ?? []].flat()
}
