/**
 * Compiles an operation with `@defer` or `@stream` for given values of the variables that decide on its delivery
 * groups: the operation is divided, planned as a whole, and its fetches are prepared. The last few of these variants
 * are kept. A new variant waits for its turn like a new operation, because clients choose the values.
 */
import type { GraphQLError, GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { tesseraError } from '../../../shared/errors.ts'
import {
  createWeight,
  estimatedBytes,
  type NoteBytes,
  syntaxCharacters,
  type Weight,
} from '../../cache-memory.ts'
import type { NormalisedOperation } from '../../operation/normalised.ts'
import type { OperationPart } from '../../operation/null-arguments.ts'
import type { Coerce, Variables } from '../../operation/variables.ts'
import {
  type DecideLabel,
  eachFetch,
  type Plan,
  PlanBoundError,
  type Planner,
  type Planning,
} from '../../planner/index.ts'
import type { GatewayRequest } from '../../request.ts'
import type { RefusedField, ResponseShape } from '../../response/index.ts'
import { ErrorList } from '../error-list.ts'
import type { Execution, Step } from '../execution.ts'
import type { LaterFields } from '../later-results.ts'
import { normaliseErrors } from '../normalise-errors.ts'
import { PieceDelivery } from './deliver.ts'
import { DeliveryGroups } from './delivery-groups.ts'
import { laterFieldsOf } from './later-fields.ts'
import { dividingVariables } from './mark-arguments.ts'
import type { Pieces } from './pieces.ts'
import { Run, type RunnableFetch } from './run.ts'

interface Result {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  readonly pieces?: Pieces | undefined
}

export type ExecuteInPieces = (variables: Variables, request: GatewayRequest) => Promise<Result>

interface DividedShape {
  readonly operation: NormalisedOperation
  readonly refusals: readonly RefusedField[]
}

export interface InPiecesOptions {
  readonly schema: GraphQLSchema
  readonly operation: NormalisedOperation
  /** The part that is fetched with these variables, and its key if that depends on them. */
  partFor(variables: Variables): OperationPart
  partKey(variables: Variables): string | undefined
  readonly planner: Planner
  decideFor(request: GatewayRequest): DecideLabel
  readonly coerce: Coerce
  /** Executes it without incremental delivery. */
  whole(given: Variables, request: GatewayRequest): Result | Promise<Result>
  createShape(divided: DividedShape, noteBytes: NoteBytes): ResponseShape
  compileFetch(node: Plan, plan: Plan, noteBytes: NoteBytes): Step | undefined
  /** The root keys of `node` fields whose objects must be verified. */
  nodeFieldsOf(plan: Plan): ReadonlySet<string>
  readonly noteBytes: NoteBytes
  readonly prepare: Prepare
}

/**
 * Makes a function that prepares an operation during a request, immediately or in its turn. Equal work, by key, is
 * done once for all requests that wait for it. It throws or rejects if the work would begin after the deadline, in
 * milliseconds of `performance.now()`.
 */
export type Prepare = <Made>() => (
  key: string,
  deadline: number,
  work: () => Planning<Made>,
) => Made | Promise<Made>

interface Variant {
  readonly delivery: DeliveryGroups
  readonly fetches: readonly RunnableFetch[]
  readonly shape: ResponseShape
  normaliseErrors(execution: Execution): void
}

/** The variant for one set of values. */
interface KeptVariant {
  /** Undefined if nothing is delivered later. */
  readonly made?: Variant | undefined
  /** The error, if it cannot be made. */
  readonly failure?: unknown
  readonly weight: Weight
}

/** The most variants of an operation that are kept. */
const mostVariants = 16
/** The estimated heap bytes of a field of the divided operation. */
const dividedField = 1500

/** Undefined for an operation without these directives. */
export function compileInPieces(options: InPiecesOptions): ExecuteInPieces | undefined {
  const names = dividingVariables(options.operation)
  if (names === undefined) return undefined
  const compiler = new PieceCompiler(options, names)
  return (given, request) => compiler.execute(given, request)
}

class PieceCompiler {
  readonly #options: InPiecesOptions
  readonly #names: readonly string[]
  readonly #prepareOnce
  readonly #variants = new LRUCache<string, KeptVariant>({
    max: mostVariants,
    dispose: ({ weight }) => weight.release(),
  })
  readonly #isOne

  constructor(options: InPiecesOptions, names: readonly string[]) {
    this.#options = options
    this.#names = names
    this.#prepareOnce = options.prepare<KeptVariant>()
    this.#isOne = names.length === 0 && this.#options.planner.labels.length === 0
  }

  async execute(given: Variables, request: GatewayRequest): Promise<Result> {
    // Payloads that were sent cannot be revoked by a later error, so with HALT the operation is executed as a whole.
    if (request.onError === 'HALT') return this.#options.whole(given, request)
    const { variables, errors } = this.#options.coerce(given)
    if (errors !== undefined) return { errors }
    let variant: Variant | undefined
    try {
      const found = this.#variantFor(variables, request)
      variant = found instanceof Promise ? await found : found
    } catch (error) {
      throw asRefusal(error)
    }
    if (variant === undefined) return this.#options.whole(given, request)
    const { delivery, fetches, shape } = variant
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
    return new PieceDelivery({
      run: new Run(fetches, delivery.lists, execution),
      groups: delivery.groups,
      shape,
      normaliseErrors: variant.normaliseErrors,
    }).run()
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
    const nodeFields = this.#options.nodeFieldsOf(plan)
    return {
      delivery,
      fetches,
      shape,
      normaliseErrors: (execution) => normaliseErrors(execution, shape, nodeFields),
    }
  }

  /**
   * The refusals for fields of the divided operation. A field is refused if all original fields that it represents are.
   */
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

  /** Keeps the variant or its error, because a second attempt would take as long. */
  *#keep(key: string, variables: Variables, decide: DecideLabel, deadline: number): Planning<KeptVariant> {
    // Another request may have made it meanwhile.
    const known = this.#variants.get(key)
    if (known !== undefined) return known
    const weight = createWeight(this.#options.noteBytes)
    let variant: KeptVariant
    try {
      variant = { made: yield* this.#make(variables, decide, deadline, weight.note), weight }
    } catch (failure) {
      weight.release()
      if (failure instanceof PlanBoundError && failure.ofTime) throw failure
      variant = { failure, weight }
    }
    this.#variants.set(key, variant)
    return variant
  }

  #variantFor(
    variables: Variables,
    request: GatewayRequest,
  ): Variant | undefined | Promise<Variant | undefined> {
    const decide = this.#options.decideFor(request)
    const decided = this.#options.planner.labels.map((label) => decide(label))
    const part = this.#options.partKey(variables)
    const key =
      this.#isOne && part === undefined
        ? ''
        : JSON.stringify([this.#names.map((name) => variables[name] ?? null), decided, part])
    const known = this.#variants.get(key)
    if (known !== undefined) return madeOf(known)
    const given = (label: string): boolean => decided[this.#options.planner.labels.indexOf(label)] === true
    const { deadline } = request
    const kept = this.#prepareOnce(key, deadline, () => this.#keep(key, variables, given, deadline))
    return kept instanceof Promise ? kept.then(madeOf) : madeOf(kept)
  }
}

function madeOf({ made, failure }: KeptVariant): Variant | undefined {
  if (failure !== undefined) throw failure
  return made
}

/** What a request is told if its operation cannot be planned within the bounds. Other errors are returned unchanged. */
export function asRefusal(error: unknown): unknown {
  return error instanceof PlanBoundError
    ? tesseraError('OPERATION_TOO_LARGE', error.message, { cause: error })
    : error
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
