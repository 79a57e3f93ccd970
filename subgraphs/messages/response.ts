/**
 * One response of the service: its data, the included objects, and the errors for what it could not show.
 *
 * The service leaves out an empty `data`, and reports what a caller may not see in the `errors` of a successful
 * response. So both have to be read.
 */

import { type Json, objectOf, objectsOf, tableOf } from '../kit/json.ts'
import type { Problem } from './failure.ts'

export interface ServiceResponse {
  /** An object of `includes` by its id, or a medium by its key. */
  included(kind: IncludedKind, id: string): Json | undefined
  /** The id of an included user. */
  userIdOf(username: unknown): unknown
  problemOf(kind: 'message' | 'user', id: string): Problem | undefined
  problemOfField(messageId: string, fields: readonly string[]): Problem | undefined
  /** Problems that concern no particular object. */
  readonly general: readonly Problem[]
}

type IncludedKind = 'users' | 'media' | 'polls' | 'places'

/** The response if nothing was requested. */
export const emptyResponse: ServiceResponse = {
  included: () => undefined,
  userIdOf: () => undefined,
  problemOf: () => undefined,
  problemOfField: () => undefined,
  general: [],
}

const kindOf = tableOf<'message' | 'user'>({ tweet: 'message', post: 'message', user: 'user' })

export function responseFrom(includes: unknown, problems: readonly Problem[]): ServiceResponse {
  const indexes = new Map<IncludedKind, ReadonlyMap<string, Json>>()
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
    included(kind, id) {
      let index = indexes.get(kind)
      if (index === undefined) {
        const key = kind === 'media' ? 'media_key' : 'id'
        const objects = objectsOf(objectOf(includes)[kind])
        index = new Map(objects.map((object) => [String(object[key]), object]))
        indexes.set(kind, index)
      }
      return index.get(id)
    },
    userIdOf: (username) =>
      objectsOf(objectOf(includes).users).find((user) => user.username === username)?.id,
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
