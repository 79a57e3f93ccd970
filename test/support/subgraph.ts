/** Runs operations against one subgraph alone, without a gateway around it. */
import { execute, type GraphQLError, parse, validate } from 'graphql'
import { takePartialErrors } from '../../shared/graphql/partial-errors.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { type TestRequest, testRequest } from './request.ts'

export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  readonly data: any
  readonly errors: readonly GraphQLError[]
}

export async function run(
  subgraph: Subgraph,
  operation: string,
  variables: Record<string, unknown> = {},
  request: TestRequest = testRequest(),
): Promise<Outcome> {
  const document = parse(operation)
  const faults = validate(subgraph.schema, document)
  if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join('\n'))
  const context = subgraph.createContext(request)
  const { data, errors = [] } = await execute({
    schema: subgraph.schema,
    document,
    contextValue: context,
    variableValues: variables,
  })
  return {
    data: JSON.parse(JSON.stringify(data ?? null)),
    errors: [...errors, ...takePartialErrors(context)],
  }
}

/** Path and code of each error, for comparisons; sorted, because fields fail in any order. */
export function faults(errors: readonly GraphQLError[]): string[] {
  return errors.map(({ path = [], extensions }) => `${path.join('.')}: ${String(extensions.code)}`).sort()
}
