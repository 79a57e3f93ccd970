/**
 * `@defer` and `@stream`: their definitions in the API schema, and how they are read. Only this gateway handles them.
 * The normalised operation has them as data, so that nothing else depends on them.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  parse,
  type SelectionNode,
  type ValueNode,
} from 'graphql'

const sdl = /* GraphQL */ `
  """
  The fragment may come later than the rest of the response, if the client accepts incremental responses
  (multipart/mixed or text/event-stream). Otherwise it comes with the rest.
  """
  directive @defer(
    "Whether it is deferred; true by default."
    if: Boolean! = true
    "Names the fragment in the response. It is unique in the document, and a literal string."
    label: String
  ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

  """
  The items of the list after the first ones may come later than the rest of the response, if the client accepts
  incremental responses (multipart/mixed or text/event-stream). Otherwise they come with the rest.
  """
  directive @stream(
    "Whether it is streamed; true by default."
    if: Boolean! = true
    "Names the list in the response. It is unique in the document, and a literal string."
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

export const isIncremental = (name: string): name is 'defer' | 'stream' =>
  name === 'defer' || name === 'stream'

/** The arguments of one of the directives. */
export interface IncrementalDirective {
  readonly kind: 'defer' | 'stream'
  readonly label: string | undefined
  /** Undefined: always. */
  readonly when: ValueNode | undefined
  /** The argument of `@stream`; undefined means 0. */
  readonly initialCount: ValueNode | undefined
}

/** The `@defer` or `@stream` of a node. */
export function incrementalDirectiveOf({ directives = [] }: SelectionNode): IncrementalDirective | undefined {
  const found = directives.find(({ name }) => isIncremental(name.value))
  return found && incrementalDirectiveFrom(found)
}

function incrementalDirectiveFrom({ name, arguments: given = [] }: DirectiveNode): IncrementalDirective {
  const value = (of: string): ValueNode | undefined => given.find((each) => each.name.value === of)?.value
  const label = value('label')
  return {
    kind: name.value === 'defer' ? 'defer' : 'stream',
    label: label?.kind === Kind.STRING ? label.value : undefined,
    when: value('if'),
    initialCount: value('initialCount'),
  }
}
