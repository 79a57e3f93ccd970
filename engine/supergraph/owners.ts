/** The subgraphs that define each type and field of a supergraph, by `@join__type` and `@join__field`. Pure. */
import { isTypeDefinitionNode } from 'graphql'
import type { Supergraph } from './index.ts'
import { JoinReader } from './join.ts'

interface Owners {
  /** The names of the subgraphs, in the order of the supergraph. Empty if no subgraph defines the type. */
  type(name: string): readonly string[]
  /** The subgraphs of the field. Those of the type if the supergraph says nothing about the field. */
  field(type: string, field: string): readonly string[]
}

export function ownersOf({ document, subgraphs }: Pick<Supergraph, 'document' | 'subgraphs'>): Owners {
  const names = new Map(subgraphs.map(({ graph, name }) => [graph, name]))
  const types = new Map<string, readonly string[]>()
  const fields = new Map<string, readonly string[]>()
  const named = (joined: readonly { readonly graph: string | undefined }[]): string[] => [
    ...new Set(joined.flatMap(({ graph }) => names.get(graph ?? '') ?? [])),
  ]
  const join = new JoinReader()
  for (const definition of document.definitions) {
    if (!isTypeDefinitionNode(definition)) continue
    const type = definition.name.value
    types.set(type, named(join.typesOf(definition)))
    if (!('fields' in definition)) continue
    for (const field of definition.fields ?? []) {
      // Another subgraph resolves an external field.
      const own = named((join.fieldsOf(field, type) ?? []).filter(({ external }) => !external))
      if (own.length > 0) fields.set(`${type}.${field.name.value}`, own)
    }
  }
  const ofType = (type: string): readonly string[] => types.get(type) ?? []
  return { type: ofType, field: (type, field) => fields.get(`${type}.${field}`) ?? ofType(type) }
}
