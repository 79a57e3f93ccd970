/** One operation as it is sent, and the operations of a document. */
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, visit } from 'graphql'

export interface Operation {
  readonly query: string
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** Undefined if it cannot be parsed. */
function documentOf(query: string): DocumentNode | undefined {
  try {
    return parse(query)
  } catch {
    return undefined
  }
}

const operationsOf = ({ definitions }: DocumentNode): readonly OperationDefinitionNode[] =>
  definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)

/** The operations of a document; none if it cannot be parsed. */
export function operationsIn(query: string): readonly OperationDefinitionNode[] {
  const document = documentOf(query)
  return document === undefined ? [] : operationsOf(document)
}

/**
 * The operation that is run, which is the first one unless it is named, with the others of its document. Undefined if
 * there is none.
 */
export function chosenIn({ query, operationName }: Operation) {
  const document = documentOf(query)
  if (document === undefined) return undefined
  const operations = operationsOf(document)
  const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0]
  return operation && { document, operations, operation }
}

export const operationNamesIn = (query: string): string[] =>
  operationsIn(query).flatMap(({ name }) => (name === undefined ? [] : [name.value]))

export const operationNameAt = (query: string, offset: number): string | undefined =>
  operationsIn(query).find(({ loc }) => loc !== undefined && loc.start <= offset && offset <= loc.end)?.name
    ?.value

/**
 * How the response of an operation comes. It is `whole` if the document cannot be parsed, so that the gateway can
 * report the fault.
 */
export function deliveryModeOf(asked: Operation): 'whole' | 'incremental' | 'events' {
  const chosen = chosenIn(asked)
  if (chosen === undefined) return 'whole'
  if (chosen.operation.operation === 'subscription') return 'events'
  let isIncremental = false
  visit(chosen.document, {
    Directive({ name }) {
      if (name.value === 'defer' || name.value === 'stream') isIncremental = true
    },
  })
  return isIncremental ? 'incremental' : 'whole'
}
