/**
 * Compiles an operation with `@defer` or `@stream` for given values of the variables that decide on its delivery
 * groups: the operation is divided, planned as a whole, and its fetches are prepared.
 */
import type { GraphQLSchema } from 'graphql'
import { estimatedBytes, type NoteBytes, syntaxCharacters } from '../../cache-memory.ts'
import type { NormalisedOperation } from '../../operation/normalised.ts'
import type { OperationPart } from '../../operation/null-arguments.ts'
import type { Coerce, Variables } from '../../operation/variables.ts'
import { type Prepare, VariantCache } from '../../operation/variant-cache.ts'
import { type DecideLabel, eachFetch, type Plan, type Planner, type Planning } from '../../planner/index.ts'
import type { GatewayRequest } from '../../request.ts'
import type { RefusedField, ResponseShape } from '../../response/index.ts'
import { ErrorList } from '../error-list.ts'
import type { Execution, Step } from '../execution.ts'
import type { LaterFields } from '../later-results.ts'
import { IncrementalDelivery } from './deliver.ts'
import { DeliveryGroups } from './delivery-groups.ts'
import { dividingVariables } from './directive-arguments.ts'
import type { IncrementalExecutionResult } from './execution-updates.ts'
import { laterFieldsOf } from './later-fields.ts'
import { Run, type RunnableFetch } from './run.ts'

export type ExecuteIncremental = (
  variables: Variables,
  request: GatewayRequest,
) => Promise<IncrementalExecutionResult>

interface DividedShape {
  readonly operation: NormalisedOperation
  readonly refusals: readonly RefusedField[]
}

interface IncrementalOptions {
  readonly schema: GraphQLSchema
  readonly operation: NormalisedOperation
  /** The part that is fetched with these variables, and its key if that depends on them. */
  partFor(variables: Variables): OperationPart
  partKey(variables: Variables): string | undefined
  readonly planner: Planner
  decideFor(request: GatewayRequest): DecideLabel
  readonly coerce: Coerce
  /** Executes it without incremental delivery. */
  whole(
    given: Variables,
    request: GatewayRequest,
  ): IncrementalExecutionResult | Promise<IncrementalExecutionResult>
  createShape(divided: DividedShape, noteBytes: NoteBytes): ResponseShape
  compileFetch(node: Plan, plan: Plan, noteBytes: NoteBytes): Step | undefined
  /** The root keys of `node` fields whose objects must be verified. */
  nodeFieldsOf(plan: Plan): ReadonlySet<string>
  readonly noteBytes: NoteBytes
  readonly prepare: Prepare
}

interface Variant {
  readonly delivery: DeliveryGroups
  readonly fetches: readonly RunnableFetch[]
  readonly shape: ResponseShape
  readonly nodeFields: ReadonlySet<string>
}

/** The estimated heap bytes of a field of the divided operation. */
const dividedField = 1500

/** Undefined for an operation without these directives. */
export function compileIncremental(options: IncrementalOptions): ExecuteIncremental | undefined {
  const names = dividingVariables(options.operation)
  if (names === undefined) return undefined
  const compiler = new IncrementalCompiler(options, names)
  return (given, request) => compiler.execute(given, request)
}

class IncrementalCompiler {
  readonly #options: IncrementalOptions
  readonly #names: readonly string[]
  /** Undefined if nothing is delivered later. */
  readonly #variants: VariantCache<Variant | undefined>

  constructor(options: IncrementalOptions, names: readonly string[]) {
    this.#options = options
    this.#names = names
    this.#variants = new VariantCache(options.prepare, options.noteBytes)
  }

  async execute(given: Variables, request: GatewayRequest): Promise<IncrementalExecutionResult> {
    // Payloads that were sent cannot be revoked by a later error, so with HALT the operation is executed as a whole.
    if (request.onError === 'HALT') return this.#options.whole(given, request)
    const { variables, errors } = this.#options.coerce(given)
    if (errors !== undefined) return { errors }
    const variant = await this.#variantFor(variables, request)
    if (variant === undefined) return this.#options.whole(given, request)
    const { delivery, fetches, shape, nodeFields } = variant
    // All scopes share the records of failures.
    const execution: Execution = {
      data: undefined,
      errors: new ErrorList(),
      variables,
      request,
      failedRoots: new Set(),
      nulledPlaces: new Set(),
      failedObjects: new Map(),
      absent: new Map(),
      later: [],
    }
    const run = new Run(fetches, delivery, execution)
    return new IncrementalDelivery({ run, groups: delivery.groups, shape, nodeFields }).run()
  }

  *#make(
    variables: Variables,
    decide: DecideLabel,
    deadline: number,
    noteBytes: NoteBytes,
  ): Planning<Variant | undefined> {
    const delivery = new DeliveryGroups(this.#options.schema, variables)
    const { operation: whole } = this.#options
    const { allowed, refusals } = this.#options.partFor(variables)
    // Refusals alone have nothing to wait for.
    if (allowed === null) return undefined
    const { operation, origins } = delivery.divide(whole)
    if (delivery.groups.size === 0 && delivery.lists.size === 0) return undefined
    noteBytes(2000 + origins.size * dividedField)
    yield
    const planned = this.#options.planner.planIncremental({
      operation: delivery.divide(allowed).operation,
      decide,
      deadline,
    })
    yield
    const plan: Plan = { kind: 'parallel', nodes: planned.map(({ node }) => node) }
    noteBytes(planBytes(plan))
    const fetches: RunnableFetch[] = []
    for (const [index, { node, ...fetch }] of planned.entries()) {
      const later = laterFieldsOf(planned, index, delivery.lists)
      const step = this.#options.compileFetch(
        later === undefined ? node : withLater(node, later),
        plan,
        noteBytes,
      )
      if (step === undefined) throw new Error('A fetch of the plan asks for nothing.')
      fetches.push({ ...fetch, step })
      yield
    }
    const shape = this.#options.createShape(
      { operation, refusals: this.#refusalsOf(origins, refusals) },
      noteBytes,
    )
    return { delivery, fetches, shape, nodeFields: this.#options.nodeFieldsOf(plan) }
  }

  /** A field of the divided operation is refused if all original fields that it represents are. */
  #refusalsOf(
    origins: ReadonlyMap<number, readonly number[]>,
    refusals: readonly RefusedField[],
  ): readonly RefusedField[] {
    if (refusals.length === 0) return refusals
    const ofField = Map.groupBy(refusals, ({ field }) => field)
    const all: RefusedField[] = []
    for (const [id, original] of origins) {
      const found = original.map((each) => ofField.get(each) ?? [])
      if (found.some(({ length }) => length === 0)) continue
      const seen = new Set<string>()
      for (const refusal of found.flat()) {
        const key = JSON.stringify([refusal.parentType, refusal.message, refusal.below])
        if (seen.has(key)) continue
        seen.add(key)
        all.push({ ...refusal, field: id })
      }
    }
    return all
  }

  #variantFor(variables: Variables, request: GatewayRequest): Promise<Variant | undefined> {
    const { planner, partKey, decideFor } = this.#options
    const { labels } = planner
    const decide = decideFor(request)
    const decided = labels.map((label) => decide(label))
    const values = this.#names.map((name) => variables[name] ?? null)
    const key = JSON.stringify([values, decided, partKey(variables)])
    const given = (label: string): boolean => decided[labels.indexOf(label)] === true
    const { deadline } = request
    return this.#variants.get(key, deadline, (note) => this.#make(variables, given, deadline, note))
  }
}

/** The estimated heap bytes of the fetches of a plan. */
export function planBytes(plan: Plan): number {
  let characters = 0
  eachFetch(plan, ({ operation }) => {
    characters += syntaxCharacters(operation.text)
  })
  return characters * estimatedBytes.planCharacter
}

const withLater = (node: Plan, later: ReadonlyMap<string, LaterFields>): Plan =>
  node?.kind === 'fetch' ? { ...node, operation: { ...node.operation, later } } : node
