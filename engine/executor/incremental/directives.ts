/**
 * `@defer` and `@stream`: their definitions in the API schema, and their removal from operations. Only this gateway
 * handles them. The document that is authorized, priced and planned has marks on its nodes instead.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'

const sdl = /* GraphQL */ `
  """
  The fragment may come later than the rest of the response, in a piece of its own, where the client accepts pieces
  (multipart/mixed or text/event-stream). Otherwise it comes with the rest.
  """
  directive @defer(
    "Whether it is deferred; true by default."
    if: Boolean! = true
    "Names the piece. Unique in the document, and no variable."
    label: String
  ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

  """
  The items of the list after the first ones may come later than the rest of the response, in pieces, where the client
  accepts pieces (multipart/mixed or text/event-stream). Otherwise they come with the rest.
  """
  directive @stream(
    "Whether it is streamed; true by default."
    if: Boolean! = true
    "Names the pieces. Unique in the document, and no variable."
    label: String
    "How many items come with the list, 0 or more; 0 by default."
    initialCount: Int! = 0
  ) on FIELD
`

/** Adds both directives to the schema, and replaces a supergraph's own definitions of these names. */
export function withIncrementalDirectives(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.filter(
    (definition) => definition.kind !== Kind.DIRECTIVE_DEFINITION || !isIncremental(definition.name.value),
  )
  return { ...document, definitions: [...parse(sdl, { noLocation: true }).definitions, ...definitions] }
}

const isIncremental = (name: string): name is 'defer' | 'stream' => name === 'defer' || name === 'stream'

/** The arguments of a removed directive. */
export interface Mark {
  readonly kind: 'defer' | 'stream'
  readonly label: string | undefined
  /** Undefined: always. */
  readonly when: ValueNode | undefined
  /** Of `@stream`. Undefined: 0. */
  readonly initialCount: ValueNode | undefined
}

const mark = Symbol('incremental')

/** The mark of a node. Copies by spread keep it. */
export function markOf(node: SelectionNode): Mark | undefined {
  return (node as { readonly [mark]?: Mark })[mark]
}

/** Whether nodes of the document have marks. Copies by spread keep it. */
export function hasMarks(document: DocumentNode): boolean {
  return mark in document
}

/** The document without both directives. A document without them is returned unchanged. */
export function withoutIncrementalDirectives(document: DocumentNode): DocumentNode {
  let some = false

  const stripped = <Node extends SelectionNode>(node: Node): Node => {
    const found = node.directives?.find(({ name }) => isIncremental(name.value))
    if (found === undefined) return node
    some = true
    const directives = node.directives?.filter(({ name }) => !isIncremental(name.value))
    return { ...node, directives, [mark]: markFrom(found) }
  }
  const set = (node: SelectionSetNode): SelectionSetNode => {
    let selections: SelectionNode[] | undefined
    for (const [index, each] of node.selections.entries()) {
      const one = selection(each)
      if (one === each) continue
      selections ??= [...node.selections]
      selections[index] = one
    }
    return selections === undefined ? node : { ...node, selections }
  }
  const below = <Node extends FieldNode | (SelectionNode & { readonly kind: Kind.INLINE_FRAGMENT })>(
    node: Node,
  ): Node => {
    if (node.selectionSet === undefined) return node
    const selectionSet = set(node.selectionSet)
    return selectionSet === node.selectionSet ? node : { ...node, selectionSet }
  }
  const selection = (node: SelectionNode): SelectionNode => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return stripped(node)
    return node.kind === Kind.FIELD ? below(stripped(node)) : below(stripped(node))
  }

  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      return definition
    const selectionSet = set(definition.selectionSet)
    return selectionSet === definition.selectionSet ? definition : { ...definition, selectionSet }
  })
  return some ? ({ ...document, definitions, [mark]: true } as DocumentNode) : document
}

function markFrom({ name, arguments: given = [] }: DirectiveNode): Mark {
  const value = (of: string): ValueNode | undefined => given.find((each) => each.name.value === of)?.value
  const label = value('label')
  return {
    kind: name.value === 'defer' ? 'defer' : 'stream',
    label: label?.kind === Kind.STRING ? label.value : undefined,
    when: value('if'),
    initialCount: value('initialCount'),
  }
}
