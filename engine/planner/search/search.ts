/**
 * The search for the cheapest plan: attempts in the order of how many decisions differ from what looked cheapest,
 * each given up as soon as it costs as much as the best one so far. All combinations come in the end, if the steps
 * that are granted last; the best plan so far is there at any time after the first attempt. It yields after
 * some hundred steps, so that a long search takes several turns of the event loop.
 */

import type { TypeSets } from '../../operation/type-sets.ts'
import type { Graph } from '../graph/graph.ts'
import type { Field, Position } from '../graph/position.ts'
import type { Tree } from '../graph/tree.ts'
import { PlanBoundError, PlanError } from '../output/nodes.ts'
import { type Attempt, attempting, type SelectedFields } from './attempt.ts'
import type { Clock } from './clock.ts'
import { type Choice, DeadEnd, OutOfSteps, outOfSteps, TooExpensive } from './cost.ts'
import { createOptions } from './options.ts'
import { levelOf, partOf } from './parts.ts'
import { createRequirements } from './requirements.ts'

export interface SearchOptions {
  readonly graph: Graph
  readonly tree: Tree
  readonly sets: TypeSets
  readonly root: Position
  /** Steps that may be spent on a plan that is better than the first. */
  readonly steps: number
  /** Steps after which it is given up if there is no plan yet. */
  readonly mostSteps: number
  readonly clock: Clock
  /** As `AttemptOptions` have them. */
  readonly whole?: boolean | undefined
}

/** The decisions of an attempt up to a choice, and another one there. */
interface Deviation {
  readonly taken: readonly number[]
  readonly at: number
  readonly other: number
}

const mostQueued = 10_000
/** After so many steps, a fraction of a millisecond, it is looked how late it is. */
const stepsBetweenLooks = 64
/** After so many steps the next field may wait for another turn. */
const stepsInTurn = 512

export function* searching(options: SearchOptions): Generator<undefined, Attempt, undefined> {
  const { graph, sets, root, steps, mostSteps, clock } = options
  const shared = {
    graph,
    sets,
    options: createOptions(graph),
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
    if (spent % stepsBetweenLooks !== 0) return
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
        if (error instanceof OutOfSteps) return
        if (!(error instanceof TooExpensive || error instanceof DeadEnd)) throw error
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
    throw new PlanError('The subgraphs cannot answer everything that the operation selects.')
  }
  return best
}

/**
 * Leaves come first that the fewest subgraphs have: the others take what is there then. What comes first in the
 * response is planned before the parts that may come later.
 */
function selectedFields(root: Position): readonly SelectedFields[] {
  const levels: { readonly leaves: Field[]; readonly objects: Field[] }[] = []
  const at = ({ when }: Field) => {
    const level = when.all.length === 0 ? 0 : levelOf(partOf(when))
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
