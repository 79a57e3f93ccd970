/**
 * `__schema` and `__type`, answered from the API schema without any subgraph. An answer that hangs on no
 * variable is made once for each operation.
 */
import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { Variables } from './variables.ts'

export function createIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (nodes: readonly FieldNode[], variables: Variables) => unknown {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  const fixed = new Map<FieldNode, unknown>()

  const hangsOnVariables = (nodes: readonly FieldNode[]): boolean => {
    let found = false
    const look = {
      Variable(): void {
        found = true
      },
    }
    for (const node of nodes) visit(node, look)
    // A fragment that is used elsewhere may cost us the memory, never the answer.
    for (const fragment of fragments) visit(fragment, look)
    return found
  }

  return (nodes, variables) => {
    const [first] = nodes
    if (first === undefined) return null
    if (fixed.has(first)) return fixed.get(first)
    const question: DocumentNode = {
      kind: Kind.DOCUMENT,
      definitions: [
        {
          kind: Kind.OPERATION_DEFINITION,
          operation: 'query' as OperationDefinitionNode['operation'],
          ...(operation.variableDefinitions === undefined
            ? {}
            : { variableDefinitions: operation.variableDefinitions }),
          selectionSet: { kind: Kind.SELECTION_SET, selections: nodes },
        },
        ...fragments,
      ],
    }
    const { data } = executeSync({ schema, document: question, variableValues: variables })
    const answer = data?.[(first.alias ?? first.name).value] ?? null
    if (!hangsOnVariables(nodes)) fixed.set(first, answer)
    return answer
  }
}
