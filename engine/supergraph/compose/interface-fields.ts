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
  parse,
  print,
} from 'graphql'
import { directiveNames } from '../directives.ts'
import { argument, textOf } from '../features.ts'

interface Source {
  readonly name: string
  readonly typeDefs: DocumentNode
}

/** The supergraph itself if nothing is missing. */
export function withInterfaceFields(supergraph: DocumentNode, sources: readonly Source[]): DocumentNode {
  const subgraphs = new Map(sources.map(({ name, typeDefs }) => [name, new SubgraphFields(typeDefs)]))
  const graphs = graphsOf(supergraph)
  let changed = false
  const completed = (node: InterfaceTypeDefinitionNode, field: FieldDefinitionNode): FieldDefinitionNode => {
    if (namedIn(field, 'join__field').length > 0) return field
    const joins = joinedTo(node).map((graph) => {
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

/** The names of subgraphs by their values in the enum `join__Graph`. */
function graphsOf({ definitions }: DocumentNode): ReadonlyMap<string, string> {
  const graphs = new Map<string, string>()
  for (const node of definitions) {
    if (node.kind !== Kind.ENUM_TYPE_DEFINITION || node.name.value !== 'join__Graph') continue
    for (const value of node.values ?? [])
      for (const directive of namedIn(value, 'join__graph'))
        graphs.set(value.name.value, textOf(argument(directive, 'name')) ?? '')
  }
  return graphs
}

/** The subgraphs that have the type, once each. */
function joinedTo(node: InterfaceTypeDefinitionNode): readonly string[] {
  const graphs = namedIn(node, 'join__type').flatMap((directive) => {
    const graph = argument(directive, 'graph')
    return graph?.kind === Kind.ENUM ? graph.value : []
  })
  return [...new Set(graphs)]
}

type Directed = { readonly directives?: readonly ConstDirectiveNode[] | undefined }

function namedIn({ directives = [] }: Directed, ...names: readonly string[]): readonly ConstDirectiveNode[] {
  return directives.filter(({ name }) => names.includes(name.value))
}

/** The fields of one subgraph's interfaces and interface objects. */
class SubgraphFields {
  readonly #typeDefs
  readonly #names

  constructor(typeDefs: DocumentNode) {
    this.#typeDefs = typeDefs
    this.#names = directiveNames(typeDefs)
  }

  /** The arguments of `@join__field` beside the subgraph. Undefined if the subgraph lacks the field. */
  of(type: string, merged: FieldDefinitionNode): readonly ConstArgumentNode[] | undefined {
    let found: FieldDefinitionNode | undefined
    const keys: string[] = []
    for (const node of this.#typeDefs.definitions) {
      if (!('fields' in node) || node.name.value !== type || node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
        continue
      for (const each of node.fields ?? [])
        if (each.kind === Kind.FIELD_DEFINITION && each.name.value === merged.name.value) found ??= each
      for (const key of namedIn(node, ...this.#names.key)) keys.push(textOf(argument(key, 'fields')) ?? '')
    }
    if (found === undefined) return undefined
    const args: ConstArgumentNode[] = []
    const add = (name: string, value: ConstValueNode): void => {
      args.push({ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value })
    }
    if (print(found.type) !== print(merged.type)) add('type', { kind: Kind.STRING, value: print(found.type) })
    // Objects are returned with their keys.
    const isKey = keys.some((key) => fieldsIn(key).includes(merged.name.value))
    if (!isKey && namedIn(found, ...this.#names.external).length > 0)
      add('external', { kind: Kind.BOOLEAN, value: true })
    for (const name of ['requires', 'provides'] as const) {
      const [directive] = namedIn(found, ...this.#names[name])
      const fields = directive === undefined ? undefined : argument(directive, 'fields')
      if (fields !== undefined) add(name, fields)
    }
    return args
  }
}

/** The outermost fields of a field set. */
function fieldsIn(text: string): readonly string[] {
  const braced = text.trim().startsWith('{') ? text : `{ ${text} }`
  const [operation] = parse(braced, { noLocation: true }).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return []
  return operation.selectionSet.selections.flatMap((each) =>
    each.kind === Kind.FIELD ? each.name.value : [],
  )
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
