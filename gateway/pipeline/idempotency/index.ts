/**
 * Mutations that a client may send again: with an idempotency key each root field is executed at most once (docs/apps.md).
 * A field whose outcome is unknown is executed again with `earlierAttempt` set, by which its subgraph first finds out what
 * happened (`subgraphs/kit/write-once.ts`). Before a field is executed its outcome is kept as unknown: a gateway that ends
 * in the middle leaves nothing that a repeat could take for not done.
 */
import { hash } from 'node:crypto'
import type { GraphQLError } from 'graphql'
import { eachFetch } from '../../../engine/planner/index.ts'
import type { GatewayRequest } from '../../../engine/request.ts'
import { tesseraError } from '../../../shared/errors.ts'
import { holds } from '../../../shared/graphql/conditions.ts'
import { canonicalJson } from '../../../shared/json/canonical-json.ts'
import type { IdempotencyKeys } from '../../../shared/request.ts'
import { getOrInsert } from '../../../shared/runtime/maps.ts'
import type { GrantedOperation } from '../../auth/granted-operation.ts'
import { callerKeyOf } from '../caller-key.ts'
import type { DataForm, Executor, Result } from '../operation-request.ts'
import { errorsOf, readEntry } from './entry.ts'
import { idempotencyError } from './errors.ts'
import {
  asUnknown,
  combinedResult,
  type FieldResult,
  fieldResultOf,
  maySee,
  outcomeOf,
} from './field-results.ts'
import { openSlot, type Slot } from './slot.ts'
import type { OutcomeStore } from './store.ts'

export { changedNothing } from './field-results.ts'
export { createOutcomes, type OutcomeStore, outcomesKind } from './store.ts'

export type Idempotency = ReturnType<typeof createIdempotency>

interface IdempotencyOptions {
  readonly store: OutcomeStore
  /** How long an outcome is kept, in milliseconds. */
  readonly keptMs: number
  /** How long after an attempt began its change may still show at the service, in milliseconds. */
  readonly settleMs: number
  /** Whether a subgraph finds out what became of an earlier attempt. */
  readonly findsOut: (subgraph: string) => boolean
  /** Called for each answer that is given again without executing anything. */
  readonly replayed?: (() => void) | undefined
}

export function createIdempotency(options: IdempotencyOptions) {
  return {
    /** The same executor, which executes root fields of mutations with a key once. */
    guard<Data>(execute: Executor<Data>, form: DataForm<Data>): Executor<Data> {
      return (granted, variables, request) => {
        const keys = request.idempotencyKeys
        if (keys === undefined || granted.operation.normalised.kind !== 'mutation')
          return execute(granted, variables, request)
        return new KeyedMutation(options, { execute, form, granted, variables, request, keys }).executeOnce()
      }
    },
    /**
     * What to answer a mutation whose budget is used up, by what earlier requests left under its keys: `done` if they
     * made all of it, so that their answer costs nothing; an error if they may have made it; else undefined.
     */
    async earlier(
      { operation }: GrantedOperation,
      variables: Readonly<Record<string, unknown>>,
      request: GatewayRequest,
    ): Promise<'done' | GraphQLError | undefined> {
      const { store } = options
      const caller = callerKeyOf(request)
      if (caller === '' || operation.normalised.kind !== 'mutation') return undefined
      const entries = new Map<string, ReturnType<OutcomeStore['swap']>>()
      for (const { field, when } of operation.normalised.selections) {
        if (when !== undefined && !holds(when.all, variables)) continue
        const key = keyOf(request.idempotencyKeys, field.key)
        if (key === undefined) return undefined
        // Several fields may have one key. No entry equals this text, so nothing is exchanged.
        const kept = await getOrInsert(entries, key, () => store.swap({ caller, key }, 'none', undefined, 0))
        const entry = readEntry(kept ?? '')
        if (entry === undefined) return undefined
        if (entry.until > (await store.now())) return idempotencyError('IDEMPOTENCY_KEY_IN_USE')
        if (!Object.hasOwn(entry.outcomes, field.key)) return undefined
        if (entry.outcomes[field.key]?.kind !== 'done') return idempotencyError('OUTCOME_UNKNOWN', field.key)
      }
      return 'done'
    },
  }
}

const keyOf = (keys: IdempotencyKeys | undefined, field: string): string | undefined =>
  typeof keys === 'string' ? keys : keys?.get(field)

interface KeyedRequest<Data> {
  readonly execute: Executor<Data>
  readonly form: DataForm<Data>
  readonly granted: GrantedOperation
  readonly variables: Readonly<Record<string, unknown>>
  readonly request: GatewayRequest
  readonly keys: IdempotencyKeys
}

/** One mutation with keys: its root fields are executed one after another, each once for its key. */
class KeyedMutation<Data> {
  readonly #options: IdempotencyOptions
  readonly #asked: KeyedRequest<Data>

  constructor(options: IdempotencyOptions, asked: KeyedRequest<Data>) {
    this.#options = options
    this.#asked = asked
  }

  async executeOnce(): Promise<Result<Data>> {
    const { execute, form, granted, variables, request, keys } = this.#asked
    const { selections } = granted.operation.normalised
    const fields = [...new Set(selections.map(({ field }) => field.key))]
    if (typeof keys !== 'string' && [...keys.keys()].some((key) => !fields.includes(key)))
      throw tesseraError(
        'BAD_REQUEST',
        '`extensions.idempotencyKey` has a response key that is not a root field of the mutation.',
      )
    const caller = callerKeyOf(request)
    if (caller === '') {
      // Why nothing is executed says more than what is wrong with the key.
      if (granted.allowed === null) return execute(granted, variables, request)
      throw tesseraError(
        'BAD_REQUEST',
        'An idempotency key belongs to a caller: send a token with it, or leave the key out. Nothing was done.',
      )
    }
    const slots = new Map<string, Slot>()
    const fieldResults: FieldResult[] = []
    try {
      await this.#openSlots(slots, fields, caller)
      for (const field of fields) {
        const fieldResult = await this.#fieldResult(field, fields.length, slots.get(keyOf(keys, field) ?? ''))
        fieldResults.push(fieldResult)
        // A null that rose to the root ends the operation, and so does one by `onError: HALT`.
        if (fieldResult.json === null) break
      }
    } finally {
      request.earlierAttempt = undefined
      await Promise.all([...slots.values()].map((slot) => slot.end()))
    }
    if (fieldResults.every(({ isReplayed }) => isReplayed)) {
      request.replayed = true
      this.#options.replayed?.()
    }
    return combinedResult(fieldResults, form)
  }

  /** Opens a slot for each key, into a map whose owner ends them, also those before one that fails. */
  async #openSlots(slots: Map<string, Slot>, fields: readonly string[], caller: string): Promise<void> {
    const { granted, variables, request, keys } = this.#asked
    const { store, keptMs } = this.#options
    for (const key of new Set(fields.map((field) => keyOf(keys, field)))) {
      if (key === undefined) continue
      const own = fields.filter((field) => keyOf(keys, field) === key)
      const slot = await openSlot(store, keptMs, {
        key: { caller, key },
        request: requestOf(granted, variables, own, request),
        fields: own,
        by: request,
      })
      slots.set(key, slot)
    }
  }

  async #fieldResult(field: string, count: number, slot: Slot | undefined): Promise<FieldResult> {
    const { execute, form, granted, variables, request } = this.#asked
    const one = count === 1 ? granted : granted.only(field)
    const run = async (): Promise<FieldResult> => fieldResultOf(await execute(one, variables, request), form)
    if (slot === undefined) return run()
    const { settleMs, findsOut } = this.#options
    const earlier = slot.earlier(field)
    if (earlier?.kind === 'done') {
      // Why the caller may see nothing of it says more than that it was done.
      if (one.allowed === null) return run()
      if (earlier.data !== undefined && maySee(earlier, one))
        return { json: earlier.data, errors: errorsOf(earlier), isReplayed: true }
      return { ...nothingOf(field, idempotencyError('OUTCOME_NOT_KEPT', field)), isReplayed: true }
    }
    if (earlier !== undefined && !subgraphsOf(one).every(findsOut))
      return { ...nothingOf(field, idempotencyError('OUTCOME_UNKNOWN', field)), isReplayed: false }
    request.earlierAttempt =
      earlier === undefined
        ? undefined
        : { since: earlier.since, leftMs: Math.max(0, earlier.since + settleMs - slot.now()) }
    let fieldResult: FieldResult
    slot.begin(field)
    try {
      fieldResult = await run()
    } finally {
      request.earlierAttempt = undefined
    }
    const outcome = outcomeOf(field, fieldResult, earlier?.since ?? slot.since, one)
    if (outcome === undefined && earlier !== undefined) {
      // That this attempt changed nothing tells nothing of the one before.
      await slot.save(field, earlier)
      return asUnknown(fieldResult)
    }
    await slot.save(field, outcome)
    return fieldResult
  }
}

const nothingOf = (field: string, error: GraphQLError): Pick<FieldResult, 'json' | 'errors'> => ({
  json: `{${JSON.stringify(field)}:null}`,
  errors: [error],
})

/** A hash of what is asked for: equal requests have equal ones, in whatever order their variables are written. */
function requestOf(
  { operation }: GrantedOperation,
  variables: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  { onError }: GatewayRequest,
): string {
  const asked = [operation.hash, operation.name, fields, canonicalJson(variables)]
  return hash('sha256', JSON.stringify(onError === 'PROPAGATE' ? asked : [...asked, onError]))
}

function subgraphsOf({ compiled }: GrantedOperation): readonly string[] {
  const names = new Set<string>()
  eachFetch(compiled.plan(), ({ operation }) => {
    if (operation.kind === 'mutation') names.add(operation.service)
  })
  return [...names]
}
