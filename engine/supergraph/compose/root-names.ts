/**
 * Gives the root types of a subgraph the names that they have in the supergraph. The composer does so itself, but it
 * fails at fields that return a root type of another name, and overlooks names in extensions of the schema.
 */
import { type DocumentNode, isTypeDefinitionNode, Kind, type NamedTypeNode, visit } from 'graphql'

const usualNames = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** The document itself if its root types have the usual names, or if another type has one of these. */
export function withUsualRootNames(document: DocumentNode): DocumentNode {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const node of document.definitions) {
    if (isTypeDefinitionNode(node)) taken.add(node.name.value)
    if (node.kind !== Kind.SCHEMA_DEFINITION && node.kind !== Kind.SCHEMA_EXTENSION) continue
    for (const { operation, type } of node.operationTypes ?? [])
      if (type.name.value !== usualNames[operation]) names.set(type.name.value, usualNames[operation])
  }
  if (names.size === 0 || [...names.values()].some((name) => taken.has(name))) return document
  const renamed = <Node extends Pick<NamedTypeNode, 'name'>>(node: Node): Node | undefined => {
    const value = names.get(node.name.value)
    return value === undefined ? undefined : { ...node, name: { ...node.name, value } }
  }
  return visit(document, { NamedType: renamed, ObjectTypeDefinition: renamed, ObjectTypeExtension: renamed })
}
