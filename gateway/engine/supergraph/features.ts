/**
 * The features that a supergraph links. One that is marked `for: SECURITY` or `for: EXECUTION` changes what may be
 * answered, or how: a gateway that does not know it must not start. https://specs.apollo.dev/link/v1.0
 */
import { type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql'

interface Feature {
  readonly url: string
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
  for (const { url, purpose } of featuresOf(document)) {
    const [, name = '', major = '', minor = ''] = /\/([^/]+)\/v(\d+)\.(\d+)\/?$/.exec(url) ?? []
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

function featuresOf(document: DocumentNode): Feature[] {
  const directives: ConstDirectiveNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION)
      directives.push(...(definition.directives ?? []))
  }
  return directives.flatMap((directive): Feature[] => {
    // Supergraphs before join v0.3 named their features by @core(feature:).
    if (directive.name.value !== 'link' && directive.name.value !== 'core') return []
    const args = new Map((directive.arguments ?? []).map(({ name, value }) => [name.value, value]))
    const url = args.get('url') ?? args.get('feature')
    const purpose = args.get('for')
    if (url?.kind !== Kind.STRING) return []
    return [{ url: url.value, purpose: purpose?.kind === Kind.ENUM ? purpose.value : undefined }]
  })
}
