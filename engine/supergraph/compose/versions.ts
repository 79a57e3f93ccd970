/**
 * Versions of the federation specification that are newer than the composer. A subgraph that uses only known elements
 * is composed as the last known version, and a new element is refused by name.
 */
import { type ConstDirectiveNode, type DocumentNode, GraphQLError, Kind, visit } from 'graphql'
import { argument, featuresOf, withImports } from '../features.ts'

const lastKnown = 9
const lastTaken = 15
const url = /^https:\/\/specs\.apollo\.dev\/federation\/v2\.(\d+)\/?$/

/** The elements of v2.9. */
export const federationElements: ReadonlySet<string> = new Set([
  ...['@key', '@requires', '@provides', '@external', '@shareable', '@extends', '@override', '@tag'],
  ...['@inaccessible', '@composeDirective', '@interfaceObject', '@authenticated', '@requiresScopes'],
  ...['@policy', '@context', '@fromContext', '@cost', '@listSize'],
  ...['FieldSet', 'Scope', 'Policy', 'ContextFieldValue'],
])

/** The document for the composer, or the error. */
export function asKnownVersion(name: string, document: DocumentNode): DocumentNode | GraphQLError {
  const younger = featuresOf(document).find((feature) => {
    const minor = Number(url.exec(feature.url)?.[1])
    return minor > lastKnown && minor <= lastTaken
  })
  if (younger === undefined) return document
  const element = newElement(document, younger.namespace, younger.imports)
  if (element !== undefined) {
    const version = `v2.${url.exec(younger.url)?.[1]}`
    return new GraphQLError(
      `[${name}] ${element} of federation ${version} is not known: expected what v2.${lastKnown} has`,
      { extensions: { code: 'UNKNOWN_FEDERATION_LINK_VERSION', subgraphName: name } },
    )
  }
  return visit(document, {
    Directive(node) {
      const written = argument(node as ConstDirectiveNode, 'url')
      if (written?.kind !== Kind.STRING || written.value !== younger.url) return undefined
      const known = younger.url.replace(/v2\.\d+\/?$/, `v2.${lastKnown}`)
      const link = withImports(node as ConstDirectiveNode, (imported) => federationElements.has(imported))
      return {
        ...link,
        arguments: link.arguments?.map((each) =>
          each.name.value === 'url' ? { ...each, value: { kind: Kind.STRING as const, value: known } } : each,
        ),
      }
    },
  })
}

/**
 * The first element that is used and that the last known version does not have. A directive that is imported and never
 * applied is not used: frameworks import all names that their version of federation has.
 */
function newElement(
  document: DocumentNode,
  namespace: string,
  imports: ReadonlyMap<string, string>,
): string | undefined {
  const imported = new Map([...imports].map(([element, as]) => [as, element]))
  let found = [...imports.keys()].find(
    (element) => !element.startsWith('@') && !federationElements.has(element),
  )
  visit(document, {
    Directive({ name: { value } }) {
      const element = value.startsWith(`${namespace}__`)
        ? `@${value.slice(namespace.length + 2)}`
        : imported.get(`@${value}`)
      if (element !== undefined && !federationElements.has(element)) found ??= element
    },
  })
  return found
}
