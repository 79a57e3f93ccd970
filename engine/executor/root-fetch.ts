/**
 * Fetches of root fields. A field below the root of the response may have returned the root type, and another subgraph
 * resolves its selection: such a fetch is sent once for all places.
 */
import { areMet } from '../operation/conditions.ts'
import type { FetchNode, PlanPath } from '../planner/index.ts'
import type { SubgraphError, SubgraphResult } from '../subgraphs/index.ts'
import { mostErrors } from './error-list.ts'
import { notSentError, reportRootErrors } from './errors.ts'
import type { Execution, JsonObject, Step } from './execution.ts'
import { type CompileContext, type PreparedFetch, prepareFetch, sendFetch } from './fetch.ts'
import { mapFailures } from './later-results.ts'
import { copy, merge } from './merge.ts'
import { compileObjectsAt } from './objects-at-path.ts'
import { compileRenames } from './renames.ts'
import { selectedKeys } from './selected-keys.ts'

/** The objects whose fields are fetched: the root of the response, or objects below it. */
interface Target {
  isThere(execution: Execution): boolean
  /** `data` is null or absent if the whole fetch failed. */
  report(execution: Execution, errors: readonly SubgraphError[], data: SubgraphResult['data']): void
  merge(execution: Execution, data: JsonObject): void
}

/** Errors of later results explain no nulls in the first data. */
const noData: JsonObject = {}

export function compileRootFetch(node: FetchNode, context: CompileContext): Step {
  const { renames, path, when } = node
  const fetch = prepareFetch(node.operation, context, {
    renames,
    required: (plain) => context.required.at([path ?? []], plain),
  })
  const rename = compileRenames(renames, context.possibleTypes)
  const target = path === undefined ? theRoot(fetch, node) : objectsBelow(fetch, path)
  return (execution) => {
    const { request, variables } = execution
    if (!areMet(when, variables) || !target.isThere(execution)) return undefined
    if (request.cancelled) return target.report(execution, [notSentError(fetch.service, request)], undefined)
    return sendFetch(fetch, execution, fetch.pick(variables), {
      report({ data, errors = [], later }) {
        if (errors.length > 0) target.report(execution, errors, data)
        if (later === undefined) return
        const results = mapFailures(later, (late) => {
          if (late.length > 0) target.report(execution, late, noData)
          return []
        })
        execution.later?.push(results)
      },
      merge({ data }) {
        if (data == null) return
        rename?.(data)
        target.merge(execution, data)
      },
    })
  }
}

const theRoot = (fetch: PreparedFetch, { renames }: FetchNode): Target => ({
  isThere: () => true,
  report: (execution, errors, data) => reportRootErrors(execution, fetch, errors, data, renames),
  merge(execution, data) {
    if (execution.data === undefined) execution.data = data
    else merge(execution.data, data, fetch.possibleTypes)
  },
})

function objectsBelow(fetch: PreparedFetch, path: PlanPath): Target {
  const { document, possibleTypes } = fetch
  const objectsAt = compileObjectsAt(path, possibleTypes)
  const objectsIn = ({ data }: Execution): JsonObject[] => {
    const objects: JsonObject[] = []
    if (data !== undefined) objectsAt.collect(data, objects)
    return objects
  }
  return {
    isThere: (execution) => objectsIn(execution).length > 0,
    report(execution, errors, data) {
      const found = new Set(objectsIn(execution))
      const places = execution.data === undefined ? [] : objectsAt.locate(execution.data, found, mostErrors)
      const keys = selectedKeys(document, execution.variables)
      const below = places.flatMap(({ path: place }) =>
        errors.flatMap((error) => {
          const isWhole = error.path === undefined && data == null
          const paths = isWhole ? keys.map((key) => [key]) : [error.path ?? []]
          return paths.map((each) => ({ ...error, path: [...place, ...each] }))
        }),
      )
      reportRootErrors(execution, fetch, below, noData, [])
    },
    merge(execution, data) {
      for (const object of objectsIn(execution)) merge(object, copy(data), possibleTypes)
    },
  }
}
