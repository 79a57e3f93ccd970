/**
 * Validation rules for `@defer` and `@stream`. Labels are unique strings and not variables. Only lists are
 * streamed. The directives are allowed neither at the root of a mutation nor in a subscription. Fields with one
 * response key have equal `@stream` arguments. https://github.com/graphql/graphql-spec/pull/1110
 */
import {
  type ASTVisitor,
  type DirectiveNode,
  type FragmentDefinitionNode,
  GraphQLError,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
} from 'graphql'
import { isIncremental } from './directives.ts'

const fault = (message: string, nodes: DirectiveNode | readonly DirectiveNode[]): GraphQLError =>
  new GraphQLError(message, { nodes })

const named = (node: DirectiveNode): string => `@${node.name.value}`

const argumentOf = (node: DirectiveNode, argument: string): ValueNode | undefined =>
  node.arguments?.find(({ name }) => name.value === argument)?.value

const UniqueLabels: ValidationRule = (context) => {
  const labels = new Map<string, DirectiveNode>()
  return {
    Directive(node) {
      if (!isIncremental(node.name.value)) return
      const label = argumentOf(node, 'label')
      if (label === undefined || label.kind === Kind.NULL) return
      if (label.kind !== Kind.STRING) {
        context.reportError(fault(`The label of ${named(node)} must be a string and not a variable.`, node))
        return
      }
      const known = labels.get(label.value)
      if (known === undefined) labels.set(label.value, node)
      else
        context.reportError(
          fault(`The label "${label.value}" of ${named(node)} is used more than once.`, [known, node]),
        )
    },
  }
}

const StreamedLists: ValidationRule = (context) => ({
  Directive(node) {
    if (node.name.value !== 'stream') return
    const definition = context.getFieldDef()
    const type = definition?.type
    if (type === undefined) return
    if (!isListType(isNonNullType(type) ? type.ofType : type))
      context.reportError(fault(`@stream is for lists: ${definition?.name} is none.`, node))
    const count = argumentOf(node, 'initialCount')
    if (count?.kind === Kind.INT && Number(count.value) < 0)
      context.reportError(fault('`initialCount` of @stream must be 0 or more.', node))
  },
})

/** Whether it may be active. A literal `if: false` disables it. */
function mayBeActive(node: DirectiveNode): boolean {
  const value = argumentOf(node, 'if')
  return !(value?.kind === Kind.BOOLEAN && !value.value)
}

/** Whether a variable can disable it. */
const isOptional = (node: DirectiveNode): boolean => argumentOf(node, 'if')?.kind === Kind.VARIABLE

/** Visits the selections of an operation. Each fragment is visited once at the root and once below it. */
function eachSelection(
  context: ValidationContext,
  operation: OperationDefinitionNode,
  visit: (node: SelectionNode, atRoot: boolean) => void,
): void {
  const spread = new Set<string>()
  const walk = (set: SelectionSetNode, atRoot: boolean): void => {
    for (const node of set.selections) {
      visit(node, atRoot)
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const key = `${node.name.value} ${atRoot}`
        const fragment: FragmentDefinitionNode | null | undefined = context.getFragment(node.name.value)
        if (fragment == null || spread.has(key)) continue
        spread.add(key)
        walk(fragment.selectionSet, atRoot)
      } else if (node.selectionSet !== undefined)
        walk(node.selectionSet, atRoot && node.kind === Kind.INLINE_FRAGMENT)
    }
  }
  walk(operation.selectionSet, true)
}

const WhereItMayBe: ValidationRule = (context): ASTVisitor => ({
  OperationDefinition(operation) {
    if (operation.operation === 'query') return
    const reported = new Set<DirectiveNode>()
    eachSelection(context, operation, (node, atRoot) => {
      for (const directive of node.directives ?? []) {
        if (!isIncremental(directive.name.value) || !mayBeActive(directive) || reported.has(directive))
          continue
        if (operation.operation === 'subscription' && !isOptional(directive)) {
          reported.add(directive)
          const way = 'Disable it by the argument `if`.'
          context.reportError(
            fault(`${named(directive)} is not allowed in a subscription. ${way}`, directive),
          )
        } else if (atRoot) {
          reported.add(directive)
          const where = `at the root of a ${operation.operation}`
          context.reportError(fault(`${named(directive)} cannot stand ${where}.`, directive))
        }
      }
    })
  },
})

/** Fields with one response key have equal `@stream` arguments, across fragments. */
const StreamedAlike: ValidationRule = (context) => ({
  SelectionSet(set, _key, parent) {
    // Inline fragments are checked with the selection around them.
    if ((parent as SelectionNode | undefined)?.kind === Kind.INLINE_FRAGMENT) return
    const streams = new Map<string, { readonly text: string; readonly node: DirectiveNode }>()
    const spread = new Set<string>()
    const walk = (each: SelectionSetNode): void => {
      for (const node of each.selections) {
        if (node.kind === Kind.FIELD) {
          const stream = node.directives?.find(({ name }) => name.value === 'stream')
          if (stream === undefined) continue
          const key = (node.alias ?? node.name).value
          const given = (stream.arguments ?? []).filter(({ name }) => name.value !== 'label')
          const text = given.map((argument) => print(argument)).join()
          const known = streams.get(key)
          if (known === undefined) streams.set(key, { text, node: stream })
          else if (known.text !== text)
            context.reportError(
              fault(`Two fields "${key}" have different @stream arguments: give one of them another alias.`, [
                known.node,
                stream,
              ]),
            )
        } else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet)
        else {
          const fragment = context.getFragment(node.name.value)
          if (fragment == null || spread.has(node.name.value)) continue
          spread.add(node.name.value)
          walk(fragment.selectionSet)
        }
      }
    }
    walk(set)
  },
})

export const incrementalRules: readonly ValidationRule[] = [
  UniqueLabels,
  StreamedLists,
  WhereItMayBe,
  StreamedAlike,
]
