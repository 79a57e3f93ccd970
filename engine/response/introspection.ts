/**
 * Answers `__schema` and `__type` from the API schema, as JSON. A response that does not depend on variables is made
 * once for all equal selections and kept in the shared memory of caches. Its size is bounded while it is made,
 * because a few nested aliases could produce gigabytes.
 */
import { hash } from 'node:crypto'
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  separateOperations,
  type VariableDefinitionNode,
} from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { fragmentsOf, responseKey, variablesIn } from '../../shared/graphql/selections.ts'
import { type RawJson, writtenJson } from '../../shared/json/raw.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import type { CacheMemory } from '../cache-memory.ts'
import type { Variables } from '../operation/variables.ts'
import { createExecutor, type ExecutorResult } from '../subgraphs/in-process/executor/index.ts'

type Introspect = (nodes: readonly FieldNode[], variables: Variables) => RawJson | null

export function responseTooLarge(mostBytes: number): GraphQLError {
  return tesseraError('RESPONSE_TOO_LARGE', `The response would have more than ${mostBytes} bytes.`, {
    extensions: { maximum: mostBytes },
  })
}

const leastBound = 4_000_000

/** The bound by default: twice what the usual query for the whole schema needs, so that every tool can read the schema. */
const defaultBound = memoByObject((schema: GraphQLSchema): number => {
  const question = parse(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }))
  const [operation] = question.definitions as [OperationDefinitionNode]
  const { data } = createExecutor(schema, question, operation)({}, {}) as ExecutorResult
  return Math.max(leastBound, 2 * JSON.stringify(data).length)
})

export function createIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  variableDefinitions: readonly VariableDefinitionNode[],
  { kept, maxBytes }: { readonly kept: CacheMemory; readonly maxBytes: number | undefined },
): Introspect {
  const prepared = new Map<
    FieldNode,
    { readonly key: string | undefined; make(variables: Variables): Buffer }
  >()

  const prepare = (nodes: readonly FieldNode[], first: FieldNode) => {
    const asked: OperationDefinitionNode = {
      kind: Kind.OPERATION_DEFINITION,
      operation: OperationTypeNode.QUERY,
      selectionSet: { kind: Kind.SELECTION_SET, selections: nodes },
    }
    const whole = { kind: Kind.DOCUMENT, definitions: [asked, ...fragmentsOf(document).values()] } as const
    // Without the fragments of other fields, equal selections have equal texts.
    const { '': question = whole } = separateOperations(whole)
    const dependsOnVariables = variablesIn(question).size > 0
    const operation = dependsOnVariables ? { ...asked, variableDefinitions } : asked
    const execute = createExecutor(schema, question, operation)
    const make = (variables: Variables): Buffer => {
      const mostBytes = maxBytes ?? defaultBound(schema)
      // Introspection is synchronous.
      const { data, tooLarge } = execute({}, variables, mostBytes) as ExecutorResult
      const text = tooLarge === true ? undefined : JSON.stringify(data?.[responseKey(first)] ?? null)
      if (text === undefined || text.length > mostBytes) throw responseTooLarge(mostBytes)
      return Buffer.from(text)
    }
    return { key: dependsOnVariables ? undefined : `#introspection:${hash('sha256', print(question))}`, make }
  }

  return (nodes, variables) => {
    const [first] = nodes
    if (first === undefined) return null
    const { key, make } = getOrInsert(prepared, first, () => prepare(nodes, first))
    const known = key === undefined ? undefined : kept.get(key)
    const bytes = known instanceof Buffer ? known : make(variables)
    if (key !== undefined && known === undefined) kept.set(key, bytes, bytes.length)
    return writtenJson(bytes)
  }
}
