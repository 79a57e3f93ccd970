/**
 * Runs plans. A plan is turned once into functions that hold everything which does not depend on the request:
 * prepared transports, parsed paths, the way to build representations. A request then costs its fetches and
 * the merging of what they bring, and a promise only where a fetch does not answer at once.
 *
 * What comes out is the merged data of all subgraphs under the client's response keys, with more fields in it
 * than the client asked for, and errors at the paths of the client's response. `shape.ts` makes the answer.
 */
import { type DocumentNode, type GraphQLError, parse } from 'graphql'
import { askedKeys, rootGuard } from './execute/asked.ts'
import { compileEntities } from './execute/entities.ts'
import { failedEverywhere, reportRootErrors } from './execute/failures.ts'
import { Hands } from './execute/hands.ts'
import { type JsonObject, merge, pickVariables } from './execute/merge.ts'
import { compileRewrites } from './execute/rewrite.ts'
import type { FetchNode, FetchOperation, Plan, PlanNode } from './plan.ts'
import type { GatewayRequest } from './request.ts'
import { type SubgraphFetch, type SubgraphResult, type Transport, UnreadResult } from './transport.ts'

export type { JsonObject } from './execute/merge.ts'

/** One execution of a plan. */
export interface Run {
  data: JsonObject | undefined
  readonly errors: GraphQLError[]
  readonly variables: Readonly<Record<string, unknown>>
  readonly request: GatewayRequest
  /** Whether there were more errors than are told. */
  moreErrors: boolean
  /** Objects of which every look-up said that they do not exist (true), or at least one did not (false). */
  absent: Map<JsonObject, boolean> | undefined
  /** Answers whose data nothing in the plan needs, as they came; undefined where all are read at once. */
  readonly unread: Unread[] | undefined
}

export interface Unread {
  readonly body: Buffer
  /** Reads it after all, into the run. */
  read(): void
}

export type Step = (run: Run) => void | Promise<void>

export interface PlanContext {
  readonly transports: ReadonlyMap<string, Transport>
  readonly possibleTypes: ReadonlyMap<string, ReadonlySet<string>>
  /** Root keys whose objects exist only if a subgraph that is asked for them knows them. */
  readonly unsureRoots: ReadonlySet<string>
}

/** A fetch that is ready to be sent. */
export interface PreparedFetch {
  readonly service: string
  readonly document: DocumentNode
  readonly possibleTypes: PlanContext['possibleTypes']
  readonly pick: (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>
  readonly send: SubgraphFetch
}

/** What runs the plan; undefined where there is nothing to fetch. */
export function compilePlan(plan: Plan, context: PlanContext): Step | undefined {
  return plan === undefined ? undefined : compileNode(plan, { ...context, hands: new Hands() })
}

/** What is known while one plan is compiled. */
export interface CompileContext extends PlanContext {
  readonly hands: Hands
}

export function prepareFetch(operation: FetchOperation, context: PlanContext): PreparedFetch {
  const transport = context.transports.get(operation.service)
  if (transport === undefined) throw new Error(`There is no transport for the subgraph ${operation.service}.`)
  const document = parse(operation.text, { noLocation: true })
  const { text, name, kind, variableNames } = operation
  return {
    service: operation.service,
    document,
    possibleTypes: context.possibleTypes,
    pick: pickVariables(variableNames),
    send: transport.prepare({ text, document, name, kind, variableNames }),
  }
}

function compileNode(node: PlanNode, context: CompileContext): Step {
  switch (node.kind) {
    case 'sequence':
      return sequence(node.nodes.map((each) => compileNode(each, context)))
    case 'parallel':
      return parallel(node.nodes.map((each) => compileNode(each, context)))
    case 'condition': {
      const whenTrue = node.whenTrue === undefined ? undefined : compileNode(node.whenTrue, context)
      const whenFalse = node.whenFalse === undefined ? undefined : compileNode(node.whenFalse, context)
      const { variable } = node
      return (run) => (run.variables[variable] === true ? whenTrue : whenFalse)?.(run)
    }
    case 'fetch':
      return compileRootFetch(node, context)
    case 'entities':
      return compileEntities(node, prepareFetch(node.operation, context), context)
  }
}

function sequence(steps: readonly Step[]): Step {
  const from = (run: Run, start: number): void | Promise<void> => {
    for (let i = start; i < steps.length; i++) {
      const pending = steps[i]?.(run)
      if (pending !== undefined) return i + 1 < steps.length ? pending.then(() => from(run, i + 1)) : pending
    }
  }
  return (run) => from(run, 0)
}

function parallel(steps: readonly Step[]): Step {
  return (run) => {
    let first: Promise<void> | undefined
    let all: Promise<void>[] | undefined
    for (const step of steps) {
      const pending = step(run)
      if (pending === undefined) continue
      if (first === undefined) first = pending
      else if (all === undefined) all = [first, pending]
      else all.push(pending)
    }
    return all === undefined ? first : Promise.all(all).then(noResult)
  }
}

function noResult(): void {}

function compileRootFetch(node: FetchNode, context: CompileContext): Step {
  const fetch = prepareFetch(node.operation, context)
  const rewrite = compileRewrites(node.outputRewrites, context.possibleTypes)
  const guard = rootGuard(fetch.document)
  const { pick, send } = fetch
  const keys = askedKeys(fetch.document)
  context.hands.lay(keys)
  /** Whether nothing else of the plan needs what this fetch brings, which is known when all of it is compiled. */
  const isAlone = (): boolean => rewrite === undefined && context.hands.isAlone(keys)

  const finish = (run: Run, result: SubgraphResult): void => {
    if (run.unread !== undefined && result instanceof UnreadResult && isAlone())
      run.unread.push({ body: result.body, read: () => take(run, result) })
    else take(run, result)
  }

  const take = (run: Run, { data, errors }: SubgraphResult): void => {
    if (data != null) {
      rewrite?.(data)
      if (run.data === undefined) run.data = data
      else merge(run.data, data, context.possibleTypes)
    }
    if (errors !== undefined && errors.length > 0) {
      reportRootErrors(run, fetch, errors, data == null, node.outputRewrites)
    }
  }

  return (run) => {
    if (guard !== undefined && !guard(run.variables)) return undefined
    if (run.request.cancelled) return failedEverywhere(run, fetch)
    const result = send(pick(run.variables), run.request)
    if (result instanceof Promise) return result.then((late) => finish(run, late))
    return finish(run, result)
  }
}
