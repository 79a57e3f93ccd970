/** Merges the payloads of an incremental response as clients do, to measure the whole of it. */

import { isObject } from '../../../shared/json/is-object.ts'
import { valueAt } from '../errors.ts'
import type { JsonObject } from '../execution.ts'
import { copy, merge } from '../merge.ts'
import type { ExecutionUpdate } from './execution-updates.ts'

/** Copies of later payloads are merged into the data of the first response, which must be serialized before. */
export function createMergedResult(first: Readonly<JsonObject> | null) {
  return {
    data: first,
    add({ incremental }: ExecutionUpdate): void {
      for (const result of incremental) {
        const at = (result.kind === 'data' ? result.path : result.of.path).reduce(valueAt, first as unknown)
        if (result.kind === 'data') {
          if (isObject(at)) merge(at, result.data as JsonObject, noTypes, copy)
        } else if (Array.isArray(at)) for (const item of result.items) at.push(copy(item))
      }
    },
  }
}

const noTypes: ReadonlyMap<string, unknown> = new Map()
