/**
 * A compiled operation. It is planned when it is first executed: its fetches are prepared and the shape of its
 * response is computed. Then it is executed with variables and a request.
 */
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql'
import { haltedBy } from '../../shared/graphql/error-behavior.ts'
import { gatherRaw, type JsonText, lengthOfJson, stringifyRaw } from '../../shared/json/raw.ts'
import { runToEnd } from '../../shared/runtime/steps.ts'
import type { CacheMemory, NoteBytes } from '../cache-memory.ts'
import { defaultResponseBytes, type EngineOptions } from '../engine-options.ts'
import { nodeFieldsToVerify } from '../executor/absent-nodes.ts'
import { ErrorList } from '../executor/error-list.ts'
import type { Execution } from '../executor/execution.ts'
import { compileIncremental, type ExecuteIncremental, planBytes } from '../executor/incremental/index.ts'
import { compilePlan } from '../executor/index.ts'
import { normaliseErrors } from '../executor/normalise-errors.ts'
import type { DecideLabel, Plan, Planner, Planning } from '../planner/index.ts'
import type { GatewayRequest } from '../request.ts'
import { type RefusedField, ResponseShape } from '../response/index.ts'
import { createIntrospection, responseTooLarge } from '../response/introspection.ts'
import type { SourceEvent } from '../subgraphs/index.ts'
import { decideLabels } from './labels.ts'
import { type NormalisedOperation, normalisedIn } from './normalised.ts'
import { nullArgumentsOf, type OperationPart } from './null-arguments.ts'
import { type EventSource, eventSource } from './subscription.ts'
import { compileVariables, type Variables } from './variables.ts'
import { asRefusal, isLate, type Prepare, VariantCache } from './variant-cache.ts'
import { type Prepared, Variants } from './variants.ts'

export interface CompileInput {
  /** Valid against the API schema. */
  readonly document: DocumentNode
  readonly operationName?: string | undefined
  /** The normalised operation, if there is one already. Refusals refer to its fields. */
  readonly normalised?: NormalisedOperation | undefined
  /** The part that is fetched, if the caller may not see all of it. Null if nothing is left. */
  readonly allowed?: NormalisedOperation | null | undefined
  /** The fields refused to this caller: each is null, with an error. */
  readonly refusals?: readonly RefusedField[] | undefined
  /** Receives the estimated bytes of what is kept for the operation. */
  readonly noteBytes?: NoteBytes | undefined
}

interface ResultOf<Data> {
  /** Absent if nothing was executed because of invalid variables. */
  readonly data?: Data | null | undefined
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export type OperationResult = ResultOf<Record<string, unknown>>
/** A result with its data as JSON text. */
export type JsonResult = ResultOf<JsonText>

/** An operation that can be executed many times, with other variables and requests. */
export interface CompiledOperation {
  /** The plan, which depends on the request if `@override` has labels. Throws a `PlanError` if there is none. */
  plan(request?: GatewayRequest): Plan
  /** Makes the plan in advance, and yields between steps. Throws as `plan` does. */
  planning(): Planning<void>
  /** The result. `event` is the event of a subscription. */
  execute(
    variables: Variables,
    request: GatewayRequest,
    event?: SourceEvent,
  ): OperationResult | Promise<OperationResult>
  /** The same with the data as JSON. */
  executeToJson(
    variables: Variables,
    request: GatewayRequest,
    event?: SourceEvent,
  ): JsonResult | Promise<JsonResult>
  /**
   * Incremental delivery, for an operation with `@defer` or `@stream`; undefined for others. Later payloads are
   * fetched until `request` is cancelled.
   */
  readonly executeIncrementally?: ExecuteIncremental | undefined
  /** The event source of a subscription, or why there is none. Throws a `PlanError` if there is no plan. */
  events(
    variables: Variables,
    request: GatewayRequest,
  ): EventSource | { readonly errors: readonly GraphQLError[] }
}

/** What the operations of one engine share. */
interface OperationHost {
  readonly options: EngineOptions
  readonly schema: GraphQLSchema
  readonly planner: Planner
  readonly kept: CacheMemory
}

const prepareImmediately: Prepare = () => (_key, _deadline, work) => runToEnd(work)

/** An operation, or what is left of it without the fields that have an invalid argument. */
interface CompiledPart {
  readonly variants: Variants
  readonly shape: ResponseShape
}

/** Its plan is made at the first execution. */
export class EngineOperation implements CompiledOperation {
  readonly #planner: Planner
  readonly #overrideLabels
  readonly #maxResponseBytes
  readonly #coerce
  readonly #whole: CompiledPart
  readonly #nullArguments
  readonly #compile
  /** The parts without invalid arguments, by which these are. */
  readonly #parts: VariantCache<CompiledPart> | undefined
  readonly executeIncrementally: ExecuteIncremental | undefined

  constructor(
    { options, schema, planner, kept }: OperationHost,
    {
      document,
      operationName,
      normalised: operation = normalisedFrom(schema, document, operationName),
      allowed = operation,
      refusals = [],
      noteBytes = ignoreBytes,
    }: CompileInput,
  ) {
    this.#planner = planner
    const { supergraph, transports, overrideLabels, absentNodes = true } = options
    this.#overrideLabels = overrideLabels
    const { maxResponseBytes = defaultResponseBytes, prepare = prepareImmediately } = options
    this.#maxResponseBytes = maxResponseBytes
    const { possibleTypes } = supergraph
    const nodeFieldsOf = (plan: Plan) => (absentNodes ? nodeFieldsToVerify(schema, operation, plan) : noKeys)
    this.#coerce = compileVariables(schema, operation.variables, { hideSuggestions: options.hideSuggestions })
    const shapeOptions = {
      schema,
      operation,
      introspect: createIntrospection(schema, document, operation.variables, {
        kept,
        maxBytes: options.maxIntrospectionBytes,
      }),
      isHiddenValue: supergraph.isHiddenValue,
      isHiddenType: supergraph.isHiddenType,
    }
    this.#compile = (part: OperationPart, note: NoteBytes): CompiledPart => ({
      shape: new ResponseShape({ ...shapeOptions, refusals: part.refusals, noteBytes: note }),
      variants: new Variants({
        operation: part.allowed,
        planner,
        prepare(plan) {
          const nodeFields = nodeFieldsOf(plan)
          note(500 + planBytes(plan))
          let events: Prepared['events']
          const step = compilePlan(plan, {
            transports,
            possibleTypes,
            nodeFieldsToVerify: nodeFields,
            noteBytes: note,
            noteEvents(fetch) {
              events = fetch
            },
          })
          return { plan, nodeFields, step, events }
        },
      }),
    })
    const part = { allowed, refusals }
    this.#whole = this.#compile(part, noteBytes)
    this.#nullArguments = nullArgumentsOf(schema, part)
    this.#parts = this.#nullArguments && new VariantCache(prepare, noteBytes)
    this.executeIncrementally = compileIncremental({
      schema,
      operation,
      partFor: (variables) => this.#nullArguments?.partFor(variables) ?? part,
      partKey: (variables) => this.#nullArguments?.keyOf(variables),
      planner,
      decideFor: this.#decideFor,
      coerce: this.#coerce,
      whole: (given, request) => this.execute(given, request),
      createShape: (divided, note) => new ResponseShape({ ...shapeOptions, ...divided, noteBytes: note }),
      compileFetch: (node, plan, note) => {
        return compilePlan(node, {
          transports,
          possibleTypes,
          whole: plan,
          nodeFieldsToVerify: nodeFieldsOf(plan),
          noteBytes: note,
        })
      },
      nodeFieldsOf,
      noteBytes,
      prepare,
    })
  }

  plan(request?: GatewayRequest): Plan {
    return this.#whole.variants.for(
      request === undefined ? undecided : this.#decideFor(request),
      request?.deadline,
    ).plan
  }

  planning(): Planning<void> {
    return this.#whole.variants.making()
  }

  execute(
    given: Variables,
    request: GatewayRequest,
    event?: SourceEvent,
  ): OperationResult | Promise<OperationResult> {
    return this.#run(given, request, this.#complete, event)
  }

  executeToJson(
    given: Variables,
    request: GatewayRequest,
    event?: SourceEvent,
  ): JsonResult | Promise<JsonResult> {
    return this.#run(given, request, this.#write, event)
  }

  events(
    given: Variables,
    request: GatewayRequest,
  ): EventSource | { readonly errors: readonly GraphQLError[] } {
    const { variables, errors } = this.#coerce(given)
    if (errors !== undefined) return { errors }
    // The null is a fault of every event, so there are none.
    if (this.#nullArguments?.keyOf(variables) !== undefined)
      return { errors: this.#nullArguments.errors(variables) }
    return eventSource(this.#preparedFor(this.#whole, request).events, variables)
  }

  readonly #decideFor = (request: GatewayRequest): DecideLabel =>
    this.#planner.labels.length === 0 ? undecided : decideLabels(request, this.#overrideLabels)

  #bounded(result: JsonResult): JsonResult {
    if (result.data != null && lengthOfJson(result.data) > this.#maxResponseBytes)
      throw responseTooLarge(this.#maxResponseBytes)
    return result
  }

  #preparedFor({ variants }: CompiledPart, request: GatewayRequest): Prepared {
    try {
      return variants.for(this.#decideFor(request), request.deadline)
    } catch (error) {
      throw asRefusal(error)
    }
  }

  readonly #complete: Finish<OperationResult> = (execution, shape, { nodeFields }) => {
    const { errors, request } = execution
    normaliseErrors(execution, shape, nodeFields)
    const data = shape.complete(execution)
    return errors.isEmpty ? { data } : haltedBy(request.onError, { data, errors: errors.all() })
  }

  readonly #write: Finish<JsonResult> = (execution, shape, { nodeFields }) => {
    normaliseErrors(execution, shape, nodeFields)
    const text = gatherRaw(() => shape.write(execution))
    if (text !== undefined) return this.#bounded({ data: text })
    const { errors, request } = execution
    const data = shape.complete(execution)
    const json = data === null ? null : stringifyRaw(data)
    return this.#bounded(
      errors.isEmpty ? { data: json } : haltedBy(request.onError, { data: json, errors: errors.all() }),
    )
  }

  #run<Made>(
    given: Variables,
    request: GatewayRequest,
    finish: Finish<Made>,
    event: SourceEvent | undefined,
  ): Made | Refused | Promise<Made | Refused> {
    const { variables, errors } = this.#coerce(given)
    if (errors !== undefined) return { errors }
    const key = this.#nullArguments?.keyOf(variables)
    if (key === undefined || this.#parts === undefined)
      return this.#runPart(this.#whole, variables, request, finish, event)
    return this.#parts
      .get(key, request.deadline, (note) => this.#making(variables, note))
      .then((part) => this.#runPart(part, variables, request, finish, event))
  }

  *#making(variables: Variables, noteBytes: NoteBytes): Planning<CompiledPart> {
    const part = this.#nullArguments?.partFor(variables)
    if (part === undefined) return this.#whole
    const compiled = this.#compile(part, noteBytes)
    try {
      yield* compiled.variants.making()
    } catch (error) {
      // The labels of a request may decide otherwise. If not, its execution throws it again.
      if (isLate(error)) throw error
    }
    return compiled
  }

  #runPart<Made>(
    part: CompiledPart,
    variables: Variables,
    request: GatewayRequest,
    finish: Finish<Made>,
    event: SourceEvent | undefined,
  ): Made | Refused | Promise<Made> {
    const { shape } = part
    // Refusals at the root are known before anything is fetched or changed.
    const refused = request.onError === 'HALT' ? shape.refusedRoots(variables) : []
    if (refused.length > 0) return haltedBy('HALT', { errors: refused }) as Refused
    const prepared = this.#preparedFor(part, request)
    const started: Execution = {
      data: undefined,
      errors: new ErrorList(),
      variables,
      request,
      event,
      failedRoots: undefined,
      nulledPlaces: undefined,
      failedObjects: undefined,
      absent: undefined,
    }
    const pending = prepared.step?.(started)
    return pending === undefined
      ? finish(started, shape, prepared)
      : pending.then(() => finish(started, shape, prepared))
  }
}

type Finish<Made> = (execution: Execution, shape: ResponseShape, prepared: Prepared) => Made

/** The result of an operation that was not executed, or that its first error ended. */
type Refused = ResultOf<never> & { readonly errors: readonly GraphQLError[] }

const noKeys: ReadonlySet<string> = new Set()
const undecided: DecideLabel = () => false
const ignoreBytes: NoteBytes = () => {}

function normalisedFrom(
  schema: GraphQLSchema,
  document: DocumentNode,
  name: string | undefined,
): NormalisedOperation {
  const operation = normalisedIn(schema, document, name)
  if (operation !== undefined) return operation
  throw new Error(`The document has no operation ${name ?? 'that could be meant'}.`)
}
