/**
 * Versions of the federation specification that are newer than the composer. A subgraph that uses only known elements
 * is composed as the last known version, and a new element is refused by name.
 */
import { type ConstDirectiveNode, type DocumentNode, GraphQLError, Kind, visit } from 'graphql'
import { argument, featuresOf } from '../features.ts'

const lastKnown = 9
const lastTaken = 15
const url = /^https:\/\/specs\.apollo\.dev\/federation\/v2\.(\d+)\/?$/

/** The elements of v2.9. */
const elements: ReadonlySet<string> = new Set([
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
      return {
        ...node,
        arguments: node.arguments?.map((each) =>
          each.name.value === 'url' ? { ...each, value: { kind: Kind.STRING as const, value: known } } : each,
        ),
      }
    },
  })
}

/** The first element that is used and that the last known version does not have. */
function newElement(
  document: DocumentNode,
  namespace: string,
  imports: ReadonlyMap<string, string>,
): string | undefined {
  for (const imported of imports.keys()) if (!elements.has(imported)) return imported
  let found: string | undefined
  visit(document, {
    Directive({ name: { value } }) {
      if (!value.startsWith(`${namespace}__`)) return
      const element = `@${value.slice(namespace.length + 2)}`
      if (!elements.has(element)) found ??= element
    },
  })
  return found
}
