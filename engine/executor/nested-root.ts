/**
 * A fetch of root fields below the root of the response: a field returned the root type, and another subgraph
 * resolves its selection. It is sent once for all places.
 */

import { compileConditions, type FetchNode, type PlanPath } from '../planner/index.ts'
import type { SubgraphError, SubgraphResult } from '../subgraphs/index.ts'
import { mostErrors } from './error-list.ts'
import { notSentError, reportRootErrors } from './errors.ts'
import type { Execution, JsonObject, Step } from './execution.ts'
import { type CompileContext, prepareFetch } from './fetch.ts'
import { copy, merge } from './merge.ts'
import { compileObjectsAt } from './objects-at-path.ts'
import { createRefetch } from './refetch-required.ts'
import { compileRenames } from './renames.ts'
import { selectedKeys } from './selected-keys.ts'

export function compileNestedRoot(node: FetchNode, path: PlanPath, context: CompileContext): Step {
  const fetch = prepareFetch(node.operation, context)
  const { possibleTypes } = context
  const rename = compileRenames(node.renames, possibleTypes)
  const holds = compileConditions(node.when)
  const objectsAt = compileObjectsAt(path, possibleTypes)

  const objectsIn = (execution: Execution): JsonObject[] => {
    const objects: JsonObject[] = []
    if (execution.data !== undefined) objectsAt.collect(execution.data, objects)
    return objects
  }

  const report = (execution: Execution, errors: readonly SubgraphError[], failed: boolean): void => {
    const places =
      execution.data === undefined
        ? []
        : objectsAt.locate(execution.data, new Set(objectsIn(execution)), mostErrors)
    const keys = selectedKeys(fetch.document, execution.variables)
    const below = places.flatMap(({ path: place }) =>
      errors.flatMap((error) => {
        const paths = error.path === undefined && failed ? keys.map((key) => [key]) : [error.path ?? []]
        return paths.map((each) => ({ ...error, path: [...place, ...each] }))
      }),
    )
    reportRootErrors(execution, fetch, below, {}, [])
  }

  const again = createRefetch(
    {
      operation: node.operation,
      document: fetch.document,
      renames: node.renames,
      required: (plain) => context.required.at([path], plain),
    },
    context,
  )
  const take = (execution: Execution, { data, errors, moreErrors }: SubgraphResult): void => {
    if (moreErrors === true) execution.errors.addMore()
    if (errors !== undefined && errors.length > 0) report(execution, errors, data == null)
    if (data == null) return
    rename?.(data)
    for (const object of objectsIn(execution)) merge(object, copy(data), possibleTypes)
  }

  return (execution) => {
    if (holds !== undefined && !holds(execution.variables)) return undefined
    if (objectsIn(execution).length === 0) return undefined
    if (execution.request.cancelled)
      return report(execution, [notSentError(fetch.service, execution.request)], true)
    const variables = fetch.pick(execution.variables)
    const finish = (result: SubgraphResult) =>
      again(execution, variables, result, () => take(execution, result))
    const result = fetch.send(variables, execution.request)
    return result instanceof Promise ? result.then(finish) : finish(result)
  }
}
