/**
 * Mutations that a client may send again: with an idempotency key each root field is executed at most once.
 *
 * - A key belongs to the caller whom the token names; without a token it is refused.
 * - The first request's outcome is kept, by caller and key; a repeat gets the same answer, and waits for it while the
 * first still runs. Another request under the same key is refused (422).
 * - A field that changed nothing (it was refused, or never sent) is not kept: a repeat executes it.
 * - A field whose outcome is unknown is executed again with `earlierAttempt` set, by which its subgraph first finds out
 * what happened (`subgraphs/kit/write-once.ts`). If a subgraph cannot do that, nothing is done and the error says so.
 * - Before a field is executed its outcome is kept as unknown: a gateway that ends in the middle leaves nothing that a
 * repeat could take for not done.
 */
import { hash } from 'node:crypto'
import { rootKeysOf } from '../../../engine/operation/root-fields.ts'
import { eachFetch } from '../../../engine/planner/index.ts'
import type { GatewayRequest } from '../../../engine/request.ts'
import { tesseraError } from '../../../shared/errors.ts'
import type { IdempotencyKeys } from '../../../shared/request.ts'
import type { GrantedOperation } from '../../auth/operation.ts'
import { callerOf } from '../caller.ts'
import type { Executor, Result } from '../sent.ts'
import { errorsOf } from './entry.ts'
import { asUnknown, type DataForm, outcomeOf, type Part, partOf, together } from './parts.ts'
import { refused } from './refused.ts'
import { openSlot, type Slot } from './slot.ts'
import type { OutcomeStore } from './store.ts'

export { idempotencyHeader, idempotencyKeysOf } from './keys.ts'
export type { DataForm } from './parts.ts'
export { createRedisOutcomes, outcomesUse } from './redis-store.ts'
export { createMemoryStore, createNoOutcomes, type OutcomeStore } from './store.ts'

export interface Idempotency {
  /** The same executor, which executes root fields of mutations with a key once. */
  guard<Data>(execute: Executor<Data>, form: DataForm<Data>): Executor<Data>
  close(): void
}

export interface IdempotencyOptions {
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

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { store, keptMs, settleMs, findsOut, replayed } = options

  async function executeOnce<Data>(
    execute: Executor<Data>,
    form: DataForm<Data>,
    granted: GrantedOperation,
    variables: Readonly<Record<string, unknown>>,
    request: GatewayRequest,
    keys: IdempotencyKeys,
  ): Promise<Result<Data>> {
    const { document, definition } = granted.operation
    const fields = rootKeysOf(document, definition)
    const keyOf = (field: string): string | undefined => (typeof keys === 'string' ? keys : keys.get(field))
    const unknownField =
      typeof keys === 'string' ? undefined : [...keys.keys()].find((key) => !fields.includes(key))
    if (unknownField !== undefined)
      throw tesseraError(
        'BAD_REQUEST',
        '`extensions.idempotencyKey` names a response key that is no root field of the mutation.',
      )
    if (request.identity?.authenticated !== true) {
      // Why nothing is executed says more than what is wrong with the key.
      if (granted.allowed === null) return execute(granted, variables, request)
      throw tesseraError(
        'BAD_REQUEST',
        'An idempotency key belongs to a caller: send a token with it, or leave the key out. Nothing was done.',
      )
    }
    const caller = callerOf(request)
    const slots = new Map<string, Slot>()
    const parts: Part[] = []
    try {
      for (const key of new Set(fields.map(keyOf))) {
        if (key === undefined) continue
        const own = fields.filter((field) => keyOf(field) === key)
        slots.set(
          key,
          await openSlot(store, keptMs, {
            key: { caller, key },
            request: requestOf(granted, variables, own, request),
            fields: own,
            by: request,
          }),
        )
      }
      for (const field of fields) {
        const slot = slots.get(keyOf(field) ?? '')
        const one = fields.length === 1 ? granted : granted.only(field)
        const run = async (): Promise<Result<Data>> => execute(one, variables, request)
        const part =
          slot === undefined
            ? partOf(await run(), form)
            : await throughSlot(slot, field, one, run, form, request)
        parts.push(part)
        // A null that rose to the root ends the operation, and so does one by `onError: HALT`.
        if (part.json === null) break
      }
    } finally {
      request.earlierAttempt = undefined
      await Promise.all([...slots.values()].map((slot) => slot.end()))
    }
    if (parts.every(({ isReplayed }) => isReplayed)) {
      request.replayed = true
      replayed?.()
    }
    return together(parts, form)
  }

  async function throughSlot<Data>(
    slot: Slot,
    field: string,
    one: GrantedOperation,
    run: () => Promise<Result<Data>>,
    form: DataForm<Data>,
    request: GatewayRequest,
  ): Promise<Part> {
    const earlier = slot.earlier(field)
    if (earlier?.kind === 'done') {
      const errors = errorsOf(earlier)
      if (earlier.data !== undefined) return { json: earlier.data, errors, isReplayed: true }
      const error = refused('OUTCOME_NOT_KEPT', field)
      return { json: `{${JSON.stringify(field)}:null}`, errors: [error], isReplayed: true }
    }
    if (earlier !== undefined && !subgraphsOf(one).every(findsOut)) {
      const error = refused('OUTCOME_UNKNOWN', field)
      return { json: `{${JSON.stringify(field)}:null}`, errors: [error], isReplayed: false }
    }
    request.earlierAttempt =
      earlier === undefined
        ? undefined
        : {
            since: earlier.since,
            leftMs: Math.max(0, earlier.since + settleMs - (await store.now())),
          }
    let part: Part
    slot.begin(field)
    try {
      part = partOf(await run(), form)
    } finally {
      request.earlierAttempt = undefined
    }
    const outcome = outcomeOf(field, part, earlier?.since ?? slot.since)
    if (outcome === undefined && earlier !== undefined) {
      // That this attempt changed nothing tells nothing of the one before.
      await slot.save(field, earlier)
      return asUnknown(part)
    }
    await slot.save(field, outcome)
    return part
  }

  return {
    guard(execute, form) {
      return (granted, variables, request) => {
        const keys = request.idempotencyKeys
        if (keys === undefined || granted.operation.definition.operation !== 'mutation')
          return execute(granted, variables, request)
        return executeOnce(execute, form, granted, variables, request, keys)
      }
    },
    close: () => store.close(),
  }
}

/** A hash of what is asked for: equal requests have equal ones, in whatever order their variables are written. */
function requestOf(
  { operation }: GrantedOperation,
  variables: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  { onError }: GatewayRequest,
): string {
  const asked = [operation.hash, operation.name, fields, sorted(variables)]
  return hash('sha256', JSON.stringify(onError === 'PROPAGATE' ? asked : [...asked, onError]))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, each]) => [key, sorted(each)])
}

/** The subgraphs that a part of the operation asks. */
function subgraphsOf({ compiled }: GrantedOperation): readonly string[] {
  const names = new Set<string>()
  eachFetch(compiled.plan(), ({ operation }) => {
    if (operation.kind === 'mutation') names.add(operation.service)
  })
  return [...names]
}
