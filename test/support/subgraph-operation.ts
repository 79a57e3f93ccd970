/** The operation of a text, as a plan has it for a subgraph. */
import { getOperationAST, parse } from 'graphql'
import type { SubgraphOperation } from '../../engine/subgraphs/index.ts'

export function subgraphOperation(text: string): SubgraphOperation {
  const document = parse(text)
  const operation = getOperationAST(document)
  return {
    text,
    document,
    name: operation?.name?.value,
    kind: operation?.operation ?? 'query',
    variableNames: (operation?.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  }
}
