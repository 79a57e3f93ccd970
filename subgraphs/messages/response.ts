/**
 * One response of the service: its data, the included objects, and the errors for what it could not show.
 *
 * The service leaves out an empty `data`, and reports what a caller may not see in the `errors` of a successful
 * response. So both have to be read.
 */

import { getOrInsert } from '../../shared/runtime/maps.ts'
import { type Json, objectOf, objectsOf, tableOf } from '../kit/json.ts'
import type { Problem } from './failure.ts'

export interface ServiceResponse {
  /** An object of `includes` by its id (a medium by its key), or by what it has under `key`. */
  included(kind: IncludedKind, value: string, key?: string): Json | undefined
  problemOf(kind: 'message' | 'user', id: string): Problem | undefined
  problemOfField(messageId: string, fields: readonly string[]): Problem | undefined
  /** Problems that concern no particular object. */
  readonly general: readonly Problem[]
}

type IncludedKind = 'users' | 'media' | 'polls' | 'places'

/** The response if nothing was requested. */
export const emptyResponse: ServiceResponse = {
  included: () => undefined,
  problemOf: () => undefined,
  problemOfField: () => undefined,
  general: [],
}

const kindOf = tableOf<'message' | 'user'>({ tweet: 'message', post: 'message', user: 'user' })

export function responseFrom(includes: unknown, problems: readonly Problem[]): ServiceResponse {
  const indexes = new Map<string, ReadonlyMap<string, Json>>()
  const objects = new Map<string, Problem>()
  const fields = new Map<string, Problem>()
  const general: Problem[] = []
  for (const problem of problems) {
    const id = problem.resourceId ?? problem.value
    if (id === undefined) general.push(problem)
    else if (problem.field !== undefined) fields.set(`${id} ${problem.field}`, problem)
    else {
      // A requested id belongs to a message, whatever type the service gives. Other ids have a type.
      const kind = problem.parameter === 'ids' || problem.parameter === 'id' ? 'message' : undefined
      objects.set(`${kind ?? kindOf[problem.resourceType ?? ''] ?? 'message'} ${id}`, problem)
    }
  }
  return {
    general,
    included(kind, value, key = kind === 'media' ? 'media_key' : 'id') {
      const index = getOrInsert(indexes, `${kind} ${key}`, () => {
        const objects = objectsOf(objectOf(includes)[kind])
        return new Map(objects.map((object) => [String(object[key]), object]))
      })
      return index.get(value)
    },
    problemOf: (kind, id) => objects.get(`${kind} ${id}`),
    problemOfField(messageId, names) {
      if (fields.size === 0) return undefined
      for (const name of names) {
        const problem = ['', 'tweet.', 'post.']
          .map((prefix) => fields.get(`${messageId} ${prefix}${name}`))
          .find((found) => found !== undefined)
        if (problem !== undefined) return problem
      }
      return undefined
    },
  }
}
