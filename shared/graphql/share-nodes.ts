/**
 * Shares the nodes of equal named types and of equal applied directives in a document. A large supergraph has the same
 * `@join__field(graph: …)` on thousands of fields, so its document keeps a fraction of the memory.
 */
import { type ASTNode, type DirectiveNode, Kind, type ValueNode } from 'graphql'

/** Changes documents, which must be new and have no locations. */
export class NodeSharing {
  readonly #known = new Map<string, ASTNode>()

  /** Replaces the nodes below by equal ones that were found before. */
  within(node: object): void {
    if (Array.isArray(node)) {
      for (let at = 0; at < node.length; at++) node[at] = this.#shared(node[at])
      return
    }
    const children = node as Record<string, unknown>
    for (const key in children) {
      const child = children[key]
      if (typeof child === 'object') children[key] = this.#shared(child)
    }
  }

  #shared(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    const name = keyOf(node as ASTNode)
    if (name === undefined) {
      // Most nodes are names, which have no nodes below.
      if ((node as ASTNode).kind !== Kind.NAME) this.within(node)
      return node
    }
    const before = this.#known.get(name)
    if (before === undefined) this.#known.set(name, node as ASTNode)
    return before ?? node
  }
}

/** A key that differs for different nodes; undefined if nodes of this kind, or lists, are not shared. */
function keyOf(node: ASTNode): string | undefined {
  if (node.kind === Kind.NAMED_TYPE) return node.name.value
  return node.kind === Kind.DIRECTIVE ? `@${keyOfDirective(node)}` : undefined
}

function keyOfDirective({ name, arguments: given = [] }: DirectiveNode): string {
  return `${name.value}(${given.map((each) => `${each.name.value}:${keyOfValue(each.value)}`).join()})`
}

function keyOfValue(value: ValueNode): string {
  switch (value.kind) {
    case Kind.LIST:
      return `[${value.values.map(keyOfValue).join()}]`
    case Kind.OBJECT:
      return `{${value.fields.map(({ name, value: inner }) => `${name.value}:${keyOfValue(inner)}`).join()}}`
    case Kind.STRING:
      return `${value.block === true ? 'block' : ''}${JSON.stringify(value.value)}`
    case Kind.NULL:
      return 'null'
    case Kind.VARIABLE:
      return `$${value.name.value}`
    default:
      return String(value.value)
  }
}
