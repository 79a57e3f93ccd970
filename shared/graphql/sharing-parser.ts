/**
 * Parses SDL with shared nodes for equal named types and equal applied directives. A large supergraph has the same
 * `@join__field(graph: …)` on thousands of fields, so its document takes a fraction of the memory. Only nodes without
 * locations can be shared.
 */
import type { ConstDirectiveNode, DirectiveNode, NamedTypeNode, Source, ValueNode } from 'graphql'
import { Kind } from 'graphql'
import { Parser, type ParseOptions } from 'graphql/language/parser.js'

export class SharingParser extends Parser {
  readonly #types = new Map<string, NamedTypeNode>()
  readonly #directives = new Map<string, DirectiveNode>()

  constructor(text: string | Source, options: Omit<ParseOptions, 'noLocation'>) {
    super(text, { ...options, noLocation: true })
  }

  override parseNamedType(): NamedTypeNode {
    const node = super.parseNamedType()
    return shared(this.#types, node.name.value, node)
  }

  override parseDirective(isConst: true): ConstDirectiveNode
  override parseDirective(isConst: boolean): DirectiveNode
  override parseDirective(isConst: boolean): DirectiveNode {
    const node = super.parseDirective(isConst)
    const given = (node.arguments ?? []).map(({ name, value }) => `${name.value}:${keyOf(value)}`)
    return shared(this.#directives, `${node.name.value}(${given.join()})`, node)
  }
}

function shared<Node>(known: Map<string, Node>, key: string, node: Node): Node {
  const before = known.get(key)
  if (before !== undefined) return before
  known.set(key, node)
  return node
}

/** A key that differs for different values. */
function keyOf(value: ValueNode): string {
  switch (value.kind) {
    case Kind.LIST:
      return `[${value.values.map(keyOf).join()}]`
    case Kind.OBJECT:
      return `{${value.fields.map(({ name, value: inner }) => `${name.value}:${keyOf(inner)}`).join()}}`
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
