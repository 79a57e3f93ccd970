/**
 * Runs plans. A plan is compiled once into functions with everything that does not depend on the request: prepared
 * transports, parsed paths, builders of representations. A request costs its fetches, the merging of their results,
 * and promises only if a fetch is asynchronous.
 *
 * The result is the merged data of all subgraphs under the client's response keys, and errors at the paths of the
 * client's response. The data may contain more fields than the client selected. `response/` makes the response from
 * it.
 */

import { compileConditions, type FetchNode, type Plan, type PlanNode } from '../planner/index.ts'
import type { SubgraphResult } from '../subgraphs/index.ts'
import { compileEntities } from './entities.ts'
import { failedEverywhere, noteNulled, reportRootErrors } from './errors.ts'
import type { Execution, JsonObject, Step } from './execution.ts'
import { type CompileContext, type PlanContext, prepareFetch } from './fetch.ts'
import { mapFailures } from './later-results.ts'
import { merge } from './merge.ts'
import { compileNestedRoot } from './nested-root.ts'
import { createRefetch } from './refetch-required.ts'
import { compileRenames, renamedPath } from './renames.ts'
import { RequiredPlaces } from './required-places.ts'

export type { EventFetch, PreparedFetch } from './fetch.ts'

/** Compiles the plan. Undefined if nothing is fetched. */
export function compilePlan(plan: Plan, context: PlanContext): Step | undefined {
  if (plan === undefined) return undefined
  const required = new RequiredPlaces(context.whole ?? plan)
  return compileNode(plan, { ...context, required })
}

function compileNode(node: PlanNode, context: CompileContext): Step {
  switch (node.kind) {
    case 'sequence':
      return sequence(node.nodes.map((each) => unlessHalted(compileNode(each, context))))
    case 'parallel':
      return parallel(node.nodes.map((each) => compileNode(each, context)))
    case 'fetch':
      return node.path === undefined
        ? compileRootFetch(node, context)
        : compileNestedRoot(node, node.path, context)
    case 'entities':
      return compileEntities(node, prepareFetch(node.operation, context), context)
  }
}

/** Runs steps one after the other. Promises are created only for asynchronous steps, as in `parallel`. */
function sequence(steps: readonly Step[]): Step {
  const from = (execution: Execution, start: number): void | Promise<void> => {
    for (let i = start; i < steps.length; i++) {
      const pending = steps[i]?.(execution)
      if (pending !== undefined)
        return i + 1 < steps.length ? pending.then(() => from(execution, i + 1)) : pending
    }
  }
  return (execution) => from(execution, 0)
}

function parallel(steps: readonly Step[]): Step {
  return (execution) => {
    let first: Promise<void> | undefined
    let all: Promise<void>[] | undefined
    for (const step of steps) {
      const pending = step(execution)
      if (pending === undefined) continue
      if (first === undefined) first = pending
      else if (all === undefined) all = [first, pending]
      else all.push(pending)
    }
    return all === undefined ? first : Promise.all(all).then(noResult)
  }
}

function noResult(): void {}

/** After the first error of an operation with `onError: HALT`, no more fetches are sent. */
const unlessHalted =
  (step: Step): Step =>
  (execution) =>
    execution.request.onError === 'HALT' && !execution.errors.isEmpty ? undefined : step(execution)

/** Errors of later results explain no nulls in the first data. */
const noData: JsonObject = {}

function compileRootFetch(node: FetchNode, context: CompileContext): Step {
  const fetch = prepareFetch(node.operation, context)
  const rename = compileRenames(node.renames, context.possibleTypes)
  const holds = compileConditions(node.when)
  const { pick } = fetch
  const again = createRefetch(
    {
      operation: node.operation,
      document: fetch.document,
      renames: node.renames,
      required: (plain) => context.required.at([[]], plain),
    },
    context,
  )
  const finish = (
    execution: Execution,
    variables: Readonly<Record<string, unknown>>,
    result: SubgraphResult,
  ): void | Promise<void> =>
    again(
      execution,
      variables,
      result,
      () => take(execution, result),
      (place) => noteNulled(execution, renamedPath(place, node.renames)),
    )

  const take = (execution: Execution, { data, errors, moreErrors, later }: SubgraphResult): void => {
    if (moreErrors === true) execution.errors.addMore()
    if (data != null) {
      rename?.(data)
      if (execution.data === undefined) execution.data = data
      else merge(execution.data, data, context.possibleTypes)
    }
    if (errors !== undefined && errors.length > 0) {
      reportRootErrors(execution, fetch, errors, data, node.renames)
    }
    if (later !== undefined)
      execution.later?.push(
        mapFailures(later, (late) => {
          if (late.length > 0) reportRootErrors(execution, fetch, late, noData, node.renames)
          return []
        }),
      )
  }

  return (execution) => {
    if (holds !== undefined && !holds(execution.variables)) return undefined
    if (execution.request.cancelled) return failedEverywhere(execution, fetch)
    const { request, event } = execution
    const picked = pick(execution.variables)
    const result =
      event === undefined || fetch.events === undefined
        ? fetch.send(picked, request)
        : fetch.events.result(event, picked, request)
    if (result instanceof Promise) return result.then((late) => finish(execution, picked, late))
    return finish(execution, picked, result)
  }
}
