/** The subgraphs that define each type and field of a supergraph, by `@join__type` and `@join__field`. Pure. */
import { type ConstDirectiveNode, Kind } from 'graphql'
import { argument } from './features.ts'
import type { Supergraph } from './index.ts'

export interface Owners {
  /** The names of the subgraphs, in the order of the supergraph. Empty if no subgraph defines the type. */
  type(name: string): readonly string[]
  /** The subgraphs of the field. Those of the type if the supergraph says nothing about the field. */
  field(type: string, field: string): readonly string[]
}

function graphsIn(directives: readonly ConstDirectiveNode[] | undefined, name: string): string[] {
  return (directives ?? []).flatMap((directive) => {
    if (directive.name.value !== name) return []
    const [graph, external] = [argument(directive, 'graph'), argument(directive, 'external')]
    // Another subgraph resolves an external field.
    if (external?.kind === Kind.BOOLEAN && external.value) return []
    return graph?.kind === Kind.ENUM ? [graph.value] : []
  })
}

export function ownersOf({ document, subgraphs }: Pick<Supergraph, 'document' | 'subgraphs'>): Owners {
  const names = new Map(subgraphs.map(({ graph, name }) => [graph, name]))
  const types = new Map<string, readonly string[]>()
  const fields = new Map<string, readonly string[]>()
  const named = (graphs: readonly string[]): string[] => [
    ...new Set(graphs.flatMap((graph) => names.get(graph) ?? [])),
  ]
  for (const definition of document.definitions) {
    if (!('name' in definition) || definition.name === undefined) continue
    if (!('directives' in definition)) continue
    const type = definition.name.value
    types.set(type, named(graphsIn(definition.directives as readonly ConstDirectiveNode[], 'join__type')))
    if (!('fields' in definition)) continue
    for (const field of definition.fields ?? []) {
      const own = named(graphsIn(field.directives, 'join__field'))
      if (own.length > 0) fields.set(`${type}.${field.name.value}`, own)
    }
  }
  const ofType = (type: string): readonly string[] => types.get(type) ?? []
  return { type: ofType, field: (type, field) => fields.get(`${type}.${field}`) ?? ofType(type) }
}
