/**
 * Runs plans. A plan is compiled once into functions with everything that does not depend on the request: prepared
 * transports, parsed paths, builders of representations. A request costs its fetches, the merging of their results,
 * and promises only if a fetch is asynchronous.
 *
 * The result is the merged data of all subgraphs under the client's response keys, and errors at the paths of the
 * client's response. The data may contain more fields than the client selected. `response/` makes the response from
 * it.
 */

import type { Plan, PlanNode } from '../planner/index.ts'
import { compileEntities } from './entities.ts'
import type { Execution, Step } from './execution.ts'
import type { CompileContext, PlanContext } from './fetch.ts'
import { RequiredPlaces } from './required-places.ts'
import { compileRootFetch } from './root-fetch.ts'

export type { EventFetch } from './fetch.ts'

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
      return compileRootFetch(node, context)
    case 'entities':
      return compileEntities(node, context)
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
