/**
 * Six variants of an operation, such as with fragments or aliases. Each selects the same fields, and some also
 * `__typename`. Their results must be equal, except for the keys that a variant is known to add or to rename.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  isCompositeType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'

export interface OperationVariant {
  readonly name: string
  readonly document: DocumentNode
  readonly variables: Readonly<Record<string, unknown>>
  /** Turns its data into those of the operation itself. `like` are the latter, which tell what the variant added. */
  read(data: unknown, like: unknown): unknown
}

type Selections = readonly SelectionNode[]

const name = (value: string) => ({ kind: Kind.NAME, value }) as const
const typename: FieldNode = { kind: Kind.FIELD, name: name('__typename') }
const prefix = 'w_'

export function variantsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>> = {},
): readonly OperationVariant[] {
  const adding = (variant: string, change: (selections: Selections) => Selections): OperationVariant => ({
    name: variant,
    document: overSets(document, change),
    variables,
    read: withoutTypenames,
  })
  return [
    adding('__typename first', (selections) => [typename, ...selections]),
    adding('__typename last', (selections) => [...selections, typename]),
    adding('doubled', (selections) => [typename, ...selections, ...selections.map(again), typename]),
    { name: 'in fragments', document: inFragments(schema, document), variables, read: (data) => data },
    {
      name: 'aliased',
      document: visit(document, {
        Field: (node) => ({ ...node, alias: name(`${prefix}${(node.alias ?? node.name).value}`) }),
      }),
      variables,
      read: withoutPrefix,
    },
    {
      name: 'conditions by variables',
      document: withConditions(document),
      variables: { ...variables, w_yes: true, w_no: false },
      read: (data) => data,
    },
  ]
}

/** Once more; of what has fields below it only the type, or deep operations would double with each level. */
function again(selection: SelectionNode): SelectionNode {
  if (selection.kind === Kind.FRAGMENT_SPREAD || selection.selectionSet === undefined) return selection
  return { ...selection, selectionSet: { kind: Kind.SELECTION_SET, selections: [typename] } }
}

function overSets(document: DocumentNode, change: (selections: Selections) => Selections): DocumentNode {
  return visit(document, {
    SelectionSet: { leave: (set: SelectionSetNode) => ({ ...set, selections: change(set.selections) }) },
  })
}

/** Every set of selections in an inline fragment on its type, within one without a type; named ones stay. */
function inFragments(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const info = new TypeInfo(schema)
  return visit(
    document,
    visitWithTypeInfo(info, {
      SelectionSet: {
        leave(set: SelectionSetNode) {
          const type = info.getParentType()
          if (!isCompositeType(type)) return undefined
          const inner = fragment(set.selections, type.name)
          return { ...set, selections: [fragment([inner])] }
        },
      },
    }),
  )
}

function fragment(selections: Selections, type?: string): SelectionNode {
  return {
    kind: Kind.INLINE_FRAGMENT,
    ...(type === undefined ? {} : { typeCondition: { kind: Kind.NAMED_TYPE, name: name(type) } }),
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  }
}

function directive(condition: 'skip' | 'include', variable: string): DirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: name(condition),
    arguments: [
      { kind: Kind.ARGUMENT, name: name('if'), value: { kind: Kind.VARIABLE, name: name(variable) } },
    ],
  }
}

function withConditions(document: DocumentNode): DocumentNode {
  const declaration = (variable: string): VariableDefinitionNode => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: name(variable) },
    type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: name('Boolean') } },
  })
  let turn = 0
  const conditioned = <Node extends SelectionNode>(node: Node): Node => {
    const directives = node.directives ?? []
    const has = (condition: string): boolean => directives.some((each) => each.name.value === condition)
    const more: DirectiveNode[] = []
    turn += 1
    if (turn % 3 !== 0 && !has('include')) more.push(directive('include', 'w_yes'))
    if (turn % 3 !== 1 && !has('skip')) more.push(directive('skip', 'w_no'))
    return { ...node, directives: [...directives, ...more] }
  }
  const rewritten = visit(document, {
    Field: { leave: (node) => conditioned(node) },
    InlineFragment: { leave: (node) => conditioned(node) },
    FragmentSpread: { leave: (node) => conditioned(node) },
  })
  return visit(rewritten, {
    OperationDefinition: (node) => {
      const text = JSON.stringify(rewritten)
      const used = ['w_yes', 'w_no'].filter((each) => text.includes(`"value":"${each}"`))
      return { ...node, variableDefinitions: [...(node.variableDefinitions ?? []), ...used.map(declaration)] }
    },
  })
}

/** Without the `__typename`s that another answer does not have in the same place. */
function withoutTypenames(data: unknown, like: unknown): unknown {
  if (Array.isArray(data))
    return data.map((each, i) => withoutTypenames(each, Array.isArray(like) ? like[i] : null))
  if (typeof data !== 'object' || data === null) return data
  const known: Readonly<Record<string, unknown>> = { ...(like as object | null) }
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => key !== '__typename' || key in known)
      .map(([key, each]) => [key, withoutTypenames(each, known[key])]),
  )
}

function withoutPrefix(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutPrefix)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, each]) => [
      key.startsWith(prefix) ? key.slice(prefix.length) : key,
      withoutPrefix(each),
    ]),
  )
}
