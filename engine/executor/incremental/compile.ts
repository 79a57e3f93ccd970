/**
 * Compiles an operation with `@defer` or `@stream` for given values of the variables that decide on its delivery
 * groups: the operation is divided, planned as a whole, and its fetches are prepared.
 */
import type { GraphQLSchema } from 'graphql'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import { estimatedBytes, type NoteBytes, syntaxCharacters } from '../../cache-memory.ts'
import type { NormalisedOperation } from '../../operation/normalised.ts'
import type { OperationPart } from '../../operation/null-arguments.ts'
import type { Coerce, Variables } from '../../operation/variables.ts'
import { type Prepare, VariantCache } from '../../operation/variant-cache.ts'
import {
  type DecideLabel,
  type DeliveryFetch,
  eachFetch,
  type Plan,
  type Planner,
  type Planning,
} from '../../planner/index.ts'
import type { GatewayRequest } from '../../request.ts'
import type { RefusedField, ResponseShape } from '../../response/index.ts'
import { ErrorList } from '../error-list.ts'
import type { Execution, Step } from '../execution.ts'
import type { LaterFields } from '../later-results.ts'
import { IncrementalDelivery } from './deliver.ts'
import { DeliveryGroups, type StreamedList } from './delivery-groups.ts'
import { dividingVariables } from './directive-arguments.ts'
import type { IncrementalExecutionResult } from './execution-updates.ts'
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
    const { delivery, fetches, ...others } = variant
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
    return new IncrementalDelivery({ run, groups: delivery.groups, ...others }).run()
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

interface Fields extends LaterFields {
  initialCount: number | undefined
  deliveryGroup: string | undefined
  readonly below: Map<string, Fields>
}

/**
 * Which fields a fetch of root fields may return later: items of streamed lists that no other fetch returns, and
 * sibling fields of a later delivery group. Fields of such items come with their item. Undefined if there are none.
 */
function laterFieldsOf(
  planned: readonly DeliveryFetch[],
  index: number,
  lists: ReadonlyMap<string, StreamedList>,
): ReadonlyMap<string, LaterFields> | undefined {
  const fetch = planned[index]
  if (fetch === undefined) return undefined
  const { node, brings, late } = fetch
  // The response of other fetches is merged into existing data, where later values could not be found.
  if (node.kind !== 'fetch' || node.path !== undefined || node.renames.length > 0) return undefined
  if (node.operation.kind !== 'query') return undefined
  const isOnlyHere = (name: string): boolean =>
    planned.every((each, at) => at === index || each.brings.every(({ list }) => list !== name))
  const own = brings.flatMap(({ list: name }) => {
    const list = lists.get(name)
    return list !== undefined && isOnlyHere(name) && list.path.every(({ types }) => types === undefined)
      ? [{ keys: list.path.map(({ key }) => key), initialCount: list.initialCount }]
      : []
  })
  const isInside = (path: readonly string[]): boolean =>
    own.some(({ keys }) => keys.length < path.length && keys.every((key, at) => key === path[at]))
  const root = new Map<string, Fields>()
  const outer = own.filter(({ keys }) => !isInside(keys))
  if (outer.length === 0) return undefined
  for (const { keys, initialCount } of outer) fieldAt(root, keys).initialCount = initialCount
  for (const { path, deliveryGroup } of late)
    if (!isInside(path)) fieldAt(root, path).deliveryGroup = deliveryGroup
  return root
}

const emptyField = (): Fields => ({ initialCount: undefined, deliveryGroup: undefined, below: new Map() })

function fieldAt(root: Map<string, Fields>, path: readonly string[]): Fields {
  let below = root
  let field: Fields | undefined
  for (const key of path) {
    field = getOrInsert(below, key, emptyField)
    below = field.below
  }
  if (field === undefined) throw new Error('The root of an operation is no field.')
  return field
}
