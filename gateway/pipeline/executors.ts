/**
 * Executes granted operations by the engine, whose data are made in one of two forms: JSON for servers, objects for
 * programs that call the graph. A mutation with an idempotency key is executed only once, and equal queries
 * at the same time share one execution. The executors are made once for each pipeline.
 */
import { byteString } from '../../shared/json/byte-string.ts'
import { parseExactly } from '../../shared/json/exact-number.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'
import type { Idempotency } from './idempotency/index.ts'
import type { InFlight } from './in-flight.ts'
import type { DataForm, Executor } from './operation-request.ts'

export const jsonForm: DataForm<JsonText> = {
  kind: 'json',
  execute: ({ compiled }, variables, request) => compiled.executeToJson(variables, request),
  toJson: (data) => bytesOfJson(data).toString('utf8'),
  fromJson: (json) => byteString(json),
}

export const objectForm: DataForm<Record<string, unknown>> = {
  kind: 'objects',
  execute: ({ compiled }, variables, request) => compiled.execute(variables, request),
  toJson: (data) => JSON.stringify(data),
  fromJson: (json) => JSON.parse(json) as Record<string, unknown>,
}

/** The data of a result as objects, whatever the executor made: objects, or JSON in one piece or several. */
export function dataOf(data: unknown): Readonly<Record<string, unknown>> | null {
  if (data === undefined || data === null) return null
  if (typeof data !== 'string' && !Array.isArray(data)) return data as Readonly<Record<string, unknown>>
  const json = jsonForm.toJson(data as JsonText)
  return parseExactly(json) as Readonly<Record<string, unknown>> | null
}

export type Executors = ReturnType<typeof createExecutors>

export function createExecutors(options: {
  readonly inFlight?: InFlight | undefined
  readonly idempotency?: Idempotency | undefined
}) {
  const { inFlight, idempotency } = options
  const json = inFlight?.share(jsonForm.execute) ?? jsonForm.execute
  // Objects can be changed by their receiver, so they are not shared.
  const objects = inFlight?.order(objectForm.execute) ?? objectForm.execute
  return {
    json: (idempotency?.guard(json, jsonForm) ?? json) as Executor<unknown>,
    objects: (idempotency?.guard(objects, objectForm) ?? objects) as Executor<unknown>,
    /** Operations with `@defer` or `@stream`, which have incremental responses. */
    incremental: inFlight?.order(incremental) ?? incremental,
  }
}

const incremental: Executor<unknown> = async ({ compiled, allowed }, variables, request) => {
  const { executeIncrementally } = compiled
  if (executeIncrementally === undefined) return compiled.executeToJson(variables, request)
  const { data, errors, updates } = await executeIncrementally(variables, request)
  return {
    ...(data === undefined ? {} : { data: allowed === null ? null : data }),
    errors,
    ...(allowed === null ? {} : { updates }),
  }
}
