/**
 * Executes granted operations by the engine. A mutation with an idempotency key is executed only once, and equal queries
 * at the same time share one execution. The executors are made once for each pipeline.
 */
import { jsonForm, objectForm } from './forms.ts'
import type { Idempotency } from './idempotency/index.ts'
import type { InFlight } from './in-flight/index.ts'
import type { Executor } from './sent.ts'

export interface Executors {
  readonly json: Executor<unknown>
  readonly objects: Executor<unknown>
  /** Operations with `@defer` or `@stream`, whose answer comes in pieces. */
  readonly inPieces: Executor<unknown>
}

export function createExecutors(options: {
  readonly inFlight?: InFlight | undefined
  readonly idempotency?: Idempotency | undefined
}): Executors {
  const { inFlight, idempotency } = options
  const json = inFlight?.share(jsonForm.execute) ?? jsonForm.execute
  // Objects can be changed by their receiver, so they are not shared.
  const objects = inFlight?.order(objectForm.execute) ?? objectForm.execute
  return {
    json: (idempotency?.guard(json, jsonForm) ?? json) as Executor<unknown>,
    objects: (idempotency?.guard(objects, objectForm) ?? objects) as Executor<unknown>,
    inPieces: inFlight?.order(inPieces) ?? inPieces,
  }
}

const inPieces: Executor<unknown> = async ({ compiled, allowed }, variables, request) => {
  const { executeInPieces } = compiled
  if (executeInPieces === undefined) return compiled.executeToJson(variables, request)
  const { data, errors, pieces } = await executeInPieces(variables, request)
  return {
    ...(data === undefined ? {} : { data: allowed === null ? null : data }),
    errors,
    ...(allowed === null ? {} : { pieces }),
  }
}
