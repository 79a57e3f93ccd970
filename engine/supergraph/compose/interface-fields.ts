/**
 * Says of each interface field in a supergraph what subgraphs say of it. The composer omits `@join__field` if every
 * subgraph that has the interface has the field, and with it `@external`, `@requires`, `@provides` and other types.
 * Routers would then read an external field of an `@interfaceObject`, and omit what its fields require.
 */
import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  print,
} from 'graphql'
import { namesIn, parseFieldSet } from '../../../shared/graphql/field-set.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { type DirectiveNames, directiveNames } from '../directives.ts'
import { argument, textOf } from '../features.ts'
import { readSubgraphs } from '../index.ts'
import { JoinReader } from '../join.ts'
import { outputsOf, type Source } from './unreported-faults.ts'

/** The supergraph itself if nothing is missing. */
export function withInterfaceFields(supergraph: DocumentNode, sources: readonly Source[]): DocumentNode {
  const subgraphs = new Map(
    sources.map(({ name, typeDefs }) => [name, new SubgraphFields(typeDefs, directiveNames(typeDefs))]),
  )
  const graphs = new Map(readSubgraphs(supergraph).map(({ graph, name }) => [graph, name]))
  const join = new JoinReader()
  let changed = false
  const completed = (node: InterfaceTypeDefinitionNode, field: FieldDefinitionNode): FieldDefinitionNode => {
    if (namedIn(field, 'join__field').length > 0) return field
    const joined = new Set(join.typesOf(node).map(({ graph }) => graph))
    const joins = [...joined].map((graph) => {
      const said = subgraphs.get(graphs.get(graph) ?? '')?.of(node.name.value, field)
      return said === undefined ? undefined : { graph, said }
    })
    // Without any of them, the field is that of all subgraphs.
    if (joins.every((join) => join === undefined || join.said.length === 0)) return field
    changed = true
    const added = joins.flatMap((join) => (join === undefined ? [] : joinField(join.graph, join.said)))
    return { ...field, directives: [...(field.directives ?? []), ...added] }
  }
  const definitions = supergraph.definitions.map((node) =>
    node.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? { ...node, fields: (node.fields ?? []).map((field) => completed(node, field)) }
      : node,
  )
  return changed ? { ...supergraph, definitions } : supergraph
}

type Directed = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

function namedIn({ directives = [] }: Directed, ...names: readonly string[]): readonly ConstDirectiveNode[] {
  return directives.filter(({ name }) => names.includes(name.value))
}

/** The fields of one subgraph's interfaces and interface objects. */
class SubgraphFields {
  readonly #fields = new Map<string, FieldDefinitionNode>()
  /** The keys of objects. */
  readonly #keys = new Map<string, ConstDirectiveNode[]>()
  readonly #names

  constructor({ definitions }: DocumentNode, names: DirectiveNames) {
    this.#names = names
    for (const node of definitions) {
      for (const [coordinate, field] of outputsOf(node)) this.#fields.set(coordinate, field)
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) continue
      getOrInsert(this.#keys, node.name.value, () => []).push(...namedIn(node, ...names.key))
    }
  }

  /** The arguments of `@join__field` other than the subgraph. Undefined if the subgraph lacks the field. */
  of(type: string, merged: FieldDefinitionNode): readonly ConstArgumentNode[] | undefined {
    const found = this.#fields.get(`${type}.${merged.name.value}`)
    if (found === undefined) return undefined
    const args: ConstArgumentNode[] = []
    const add = (name: string, value: ConstValueNode): void => {
      args.push({ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value })
    }
    if (print(found.type) !== print(merged.type)) add('type', { kind: Kind.STRING, value: print(found.type) })
    const keys = this.#keys.get(type)
    // The directives mean nothing in an interface, where only Federation 1 allows them.
    if (keys === undefined) return args
    if (namedIn(found, ...this.#names.external).length > 0) {
      // Objects are returned with their keys.
      const isKey = keys.some((key) =>
        namesIn(parseFieldSet(textOf(argument(key, 'fields')) ?? '')).includes(merged.name.value),
      )
      if (!isKey) add('external', { kind: Kind.BOOLEAN, value: true })
    }
    for (const name of ['requires', 'provides'] as const) {
      const [directive] = namedIn(found, ...this.#names[name])
      const fields = directive === undefined ? undefined : argument(directive, 'fields')
      if (fields !== undefined) add(name, fields)
    }
    return args
  }
}

function joinField(graph: string, args: readonly ConstArgumentNode[]): ConstDirectiveNode {
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const
  const subgraph: ConstArgumentNode = {
    kind: Kind.ARGUMENT,
    name: name('graph'),
    value: { kind: Kind.ENUM, value: graph },
  }
  return { kind: Kind.DIRECTIVE, name: name('join__field'), arguments: [subgraph, ...args] }
}
