/**
 * Plans operations over one supergraph. Planning is synchronous and bounded in steps. A long planning yields, so that
 * it can be spread over several turns of the event loop.
 */
import { type DocumentNode, Kind } from 'graphql'
import { LRUCache } from 'lru-cache'
import { memoByObject, memoInSteps } from '../../shared/runtime/memo.ts'
import { runToEnd } from '../../shared/runtime/steps.ts'
import { always, and, type Conjunction } from '../operation/conditions.ts'
import type { NormalisedOperation } from '../operation/normalised.ts'
import { TypeSets } from '../operation/type-sets.ts'
import { createGraph, creatingGraph, type DecideLabel, type Graph, type GraphSource } from './graph/graph.ts'
import { Reachability } from './graph/reachability.ts'
import { type RootSelection, Tree } from './graph/tree.ts'
import { type AssembleOptions, assemble, assembleIncremental, combined } from './output/assemble.ts'
import { type DeliveryFetch, type Plan, PlanBoundError, PlanError } from './output/nodes.ts'
import { movingKey } from './output/serial-order.ts'
import { TextLength } from './output/write.ts'
import type { Attempt } from './search/attempt.ts'
import { createClock } from './search/clock.ts'
import { costsLess } from './search/cost.ts'
import type { FetchGroup } from './search/groups.ts'
import { type SearchOptions, searching } from './search/search.ts'

export interface PlanInput {
  /** Valid against the API schema. */
  readonly operation: NormalisedOperation
  /** Decides the labels of `@override`. No label moves fields by default. */
  readonly decide?: DecideLabel | undefined
  /**
   * The request's deadline, in milliseconds of `performance.now()`, if the plan is for one request. Planning takes a share
   * of the remaining time.
   */
  readonly deadline?: number | undefined
}

/** A planning that yields between steps. */
export type Planning<Made> = Generator<undefined, Made, undefined>

export interface Planner {
  /** Throws a `PlanError` if there is no plan. */
  plan(input: PlanInput): Plan
  /** The same, yielding between steps. */
  planning(input: PlanInput): Planning<Plan>
  /** The fetches of an incremental operation (`../executor/incremental`), each after those that it waits for. */
  planIncremental(input: PlanInput): readonly DeliveryFetch[]
  /** The labels of `@override` in the supergraph. */
  readonly labels: readonly string[]
}

export interface PlannerOptions {
  /** The most steps that are spent to improve the first plan found. A step takes some microseconds. */
  readonly steps?: number | undefined
  /** An operation without a plan after this many steps is refused. */
  readonly mostSteps?: number | undefined
  readonly mostFields?: number | undefined
  /** The time in milliseconds, as `performance.now()` gives it. */
  readonly now?: (() => number) | undefined
}

const defaultSteps = 2000
const defaultMostSteps = 1_000_000
/** The bound for a plan that fetches delivery groups separately. */
const mostStepsSeparately = 20_000
const defaultMostFields = 20_000
/** The graphs that are kept in addition to the plain one, one for each set of decisions on labels. */
const mostGraphs = 16

interface Prepared {
  readonly graph: Graph
  readonly reachability: Reachability
}

/** Makes the graph of a supergraph while no label moves a field, in steps. */
export const preparingPlanner = memoInSteps((source: GraphSource) => creatingGraph(source, () => false))

export function createPlanner(source: GraphSource, options: PlannerOptions = {}): Planner {
  const { steps = defaultSteps, mostSteps = defaultMostSteps, mostFields = defaultMostFields, now } = options
  const labels = labelsIn(source.document)
  const graphs = new LRUCache<string, Prepared>({ max: mostGraphs })
  const prepare = (decide: DecideLabel): Prepared => {
    const moved = new Set(labels.filter(decide))
    const key = JSON.stringify([...moved])
    const known = graphs.get(key)
    if (known !== undefined) return known
    const graph =
      moved.size === 0
        ? runToEnd(() => preparingPlanner(source))
        : createGraph(source, (label) => moved.has(label))
    const prepared = { graph, reachability: new Reachability(graph) }
    graphs.set(key, prepared)
    return prepared
  }
  prepare(() => false)
  function* units(input: PlanInput, whole?: boolean) {
    const { operation, decide = () => false, deadline } = input
    const { graph, reachability } = prepare(decide)
    const sets = new TypeSets()
    const clock = createClock(deadline, now)
    let fetches = 0
    const run: Run = {
      ...{ graph, sets, operation, steps, clock, whole },
      tree: new Tree({ graph, reachability, sets, mostFields, clock }),
      mostSteps: whole === false ? Math.min(mostSteps, mostStepsSeparately) : mostSteps,
      count: () => fetches++,
      length: new TextLength(),
    }
    const type = graph.roots[operation.kind]
    if (type === undefined) throw new PlanError(`The supergraph has no ${operation.kind} type.`)
    const groups = yield* operation.kind === 'query' ? queryGroups(run, type) : serialGroups(run, type)
    return { run, groups }
  }
  function* planning(input: PlanInput): Planning<Plan> {
    const { run, groups } = yield* units(input)
    yield
    return combined(
      'sequence',
      groups.map((each) => assemble(each, run)),
    )
  }
  return {
    labels,
    plan: (input) => runToEnd(() => withoutOverflow(planning(input))),
    planning: (input) => withoutOverflow(planning(input)),
    planIncremental: (input) =>
      refusingOverflow(() => {
        const { run, groups } = separatelyOrWhole((whole) => runToEnd(() => units(input, whole)))
        const all: DeliveryFetch[] = []
        for (const each of groups) all.push(...assembleIncremental(each, run, all))
        return all
      }),
  }
}

/** The planner is recursive: an operation that is nested too deeply for the stack is refused. */
const withoutOverflow = <Made>(steps: Planning<Made>): Planning<Made> => eachStep(steps, refusingOverflow)

/** The same steps, with a function around each. */
export function* eachStep<Made>(
  steps: Planning<Made>,
  around: <Step>(make: () => Step) => Step,
): Planning<Made> {
  for (;;) {
    const step = around(() => steps.next())
    if (step.done === true) return step.value
    yield
  }
}

function refusingOverflow<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError)
      throw new PlanBoundError('The operation is nested too deeply to be planned.', false)
    throw error
  }
}

/** If delivery groups cannot be fetched separately, they are fetched together. */
function separatelyOrWhole<Made>(make: (whole: boolean) => Made): Made {
  try {
    return make(false)
  } catch (error) {
    if (!(error instanceof PlanError) || (error instanceof PlanBoundError && error.ofTime)) throw error
    return make(true)
  }
}

type Run = Omit<SearchOptions, 'root'> & AssembleOptions

type Groups = readonly FetchGroup[]

function* queryGroups(run: Run, type: string): Planning<readonly Groups[]> {
  const root = run.tree.root(type, run.operation.selections)
  yield
  const { groups } = yield* searching({ ...run, root })
  return [groups]
}

/**
 * The units of a mutation, one subgraph after the other. Consecutive fields that one subgraph resolves are one unit.
 * If the order depends on a variable, there are units for both of its values, each under its condition.
 */
function* serialGroups(run: Run, type: string, given: Conjunction = always): Planning<readonly Groups[]> {
  const { tree } = run
  const { selections } = run.operation
  const units: { graphs: readonly number[]; keys: Set<string> }[] = []
  for (const [key, graphs] of tree.rootKeys(type, selections, given)) {
    if (graphs.length === 0) throw new PlanError(`No subgraph can resolve ${type}.${key}.`)
    const last = units.at(-1)
    const common = last?.graphs.filter((graph) => graphs.includes(graph)) ?? []
    if (last === undefined || common.length === 0) units.push({ graphs, keys: new Set([key]) })
    else units[units.length - 1] = { graphs: common, keys: last.keys.add(key) }
  }
  const moving = movingKey(selections, given, (key) => {
    const unit = units.findIndex(({ keys }) => keys.has(key))
    return unit === -1 ? undefined : unit
  })
  const all: Groups[] = []
  if (moving === undefined) {
    for (const unit of units) all.push(yield* serialUnit(run, type, { ...unit, when: given }))
    return all
  }
  const { key, variable } = moving
  if (given.all.length === mostDecided)
    throw new PlanError(
      `The place of ${type}.${key} among the other mutations depends on more than ${mostDecided} variables: select it at one place.`,
    )
  for (const value of [true, false]) {
    const decided = and(given, [{ variable, value }])
    if (decided !== undefined) all.push(...(yield* serialGroups(run, type, decided)))
  }
  return all
}

/** The order of mutations may depend on this many variables: each doubles the fetches. */
const mostDecided = 4

function* serialUnit(run: Run, type: string, selection: RootSelection): Planning<Groups> {
  const { tree } = run
  const { selections } = run.operation
  let best: Attempt | undefined
  let refusal: unknown
  for (const graph of selection.graphs) {
    try {
      const root = tree.root(type, selections, { ...selection, graphs: [graph] })
      yield
      const found = yield* searching({ ...run, root })
      if (best === undefined || costsLess(found.cost, best.cost)) best = found
    } catch (error) {
      if (!(error instanceof PlanError) || error instanceof PlanBoundError) throw error
      refusal = error
    }
  }
  if (best === undefined) throw refusal
  return best.groups
}

/** The labels of `@override` in a supergraph. */
export const labelsIn = memoByObject((document: DocumentNode): readonly string[] => {
  const labels = new Set<string>()
  for (const definition of document.definitions) {
    if (!('fields' in definition)) continue
    for (const field of definition.fields ?? []) {
      for (const directive of field.directives ?? []) {
        for (const { name, value } of directive.arguments ?? [])
          if (name.value === 'overrideLabel' && value.kind === Kind.STRING) labels.add(value.value)
      }
    }
  }
  return [...labels].sort()
})
