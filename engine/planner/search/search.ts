/**
 * Searches for the cheapest plan. Attempts that deviate from the cheapest estimates in few decisions come first, and
 * each is abandoned as soon as it costs as much as the best plan so far. All combinations are tried in the end if the
 * steps suffice. A plan is available at any time after the first attempt. The search yields after some hundred steps,
 * so that a long one takes several turns of the event loop.
 */

import { levelOf } from '../../operation/delivery-group-name.ts'
import type { TypeSets } from '../../operation/type-sets.ts'
import type { Graph } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import type { Tree } from '../graph/tree.ts'
import { PlanBoundError, PlanError } from '../output/nodes.ts'
import { type Attempt, attempting, type SelectedFields } from './attempt.ts'
import type { Clock } from './clock.ts'
import { type Choice, deadEnd, outOfSteps, tooExpensive } from './cost.ts'
import { deliveryGroupOf } from './delivery.ts'
import { Options } from './field-options.ts'
import { createRequirements } from './requirements.ts'

export interface SearchOptions {
  readonly graph: Graph
  readonly tree: Tree
  readonly sets: TypeSets
  readonly root: Position
  /** The most steps for improvements of the first plan. */
  readonly steps: number
  /** The search is abandoned after this many steps without a plan. */
  readonly mostSteps: number
  readonly clock: Clock
  /** As in `AttemptOptions`. */
  readonly whole?: boolean | undefined
}

/** The decisions of an attempt before a choice, and another option there. */
interface Deviation {
  readonly taken: readonly number[]
  readonly at: number
  readonly other: number
}

const mostQueued = 10_000
/** The clock is checked after this many steps. */
const stepsBetweenChecks = 64
/**
 * The search yields at the next field after this many steps. A step takes some microseconds, and some hundred if an
 * interface has hundreds of object types.
 */
const stepsInTurn = 64

export function* searching(options: SearchOptions): Generator<undefined, Attempt, undefined> {
  const { graph, sets, root, steps, mostSteps, clock } = options
  const shared = {
    graph,
    sets,
    options: new Options(graph),
    requirements: createRequirements(options),
    selected: selectedFields(root),
    whole: options.whole,
  }
  let spent = 0
  let yieldedAt = 0
  let best: Attempt | undefined
  const step = (): void => {
    spent += 1
    if (spent > (best === undefined ? mostSteps : steps)) throw outOfSteps
    if (spent % stepsBetweenChecks !== 0) return
    if (best === undefined) clock.check()
    else if (clock.isLate()) throw outOfSteps
  }

  function* explore(thorough: boolean): Generator<undefined, void, undefined> {
    const queue: Deviation[] = []
    let decisions: readonly number[] = []
    for (let next = 0; ; next++) {
      const choices: Choice[] = []
      try {
        const fields = attempting({ ...shared, decisions, bound: best?.cost, thorough, step, choices })
        let made = fields.next()
        for (; made.done !== true; made = fields.next()) {
          if (spent - yieldedAt < stepsInTurn) continue
          yieldedAt = spent
          yield
        }
        best = made.value
      } catch (error) {
        if (error === outOfSteps) return
        if (error !== tooExpensive && error !== deadEnd) throw error
      }
      const taken = choices.map((choice) => choice.taken)
      for (let at = decisions.length; at < choices.length && queue.length < mostQueued; at++)
        for (let other = 1; other < (choices[at]?.count ?? 0); other++) queue.push({ taken, at, other })
      const deviation = queue[next]
      if (deviation === undefined) return
      decisions = [...deviation.taken.slice(0, deviation.at), deviation.other]
    }
  }

  yield* explore(false)
  if (best === undefined) yield* explore(true)
  if (best === undefined) {
    if (spent > mostSteps) throw new PlanBoundError('The operation is too complex to be planned.', false)
    throw new PlanError('The subgraphs cannot resolve everything that the operation selects.')
  }
  return best
}

/**
 * The selected fields by delivery level. Leaves with the fewest candidates come first, and the others use the fetches
 * that exist by then.
 */
function selectedFields(root: Position): readonly SelectedFields[] {
  const levels: { readonly leaves: Field[]; readonly objects: Field[] }[] = []
  const at = ({ when }: Field) => {
    const level = levelOf(deliveryGroupOf(when))
    while (levels.length <= level) levels.push({ leaves: [], objects: [] })
    return levels[level]
  }
  const walk = (position: Position): void => {
    for (const field of position.fields) {
      if (field.below === undefined) at(field)?.leaves.push(field)
      else {
        at(field)?.objects.push(field)
        walk(field.below)
      }
    }
  }
  walk(root)
  for (const { leaves } of levels) leaves.sort((a, b) => a.candidates.length - b.candidates.length)
  return levels
}
