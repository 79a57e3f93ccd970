/**
 * One answer of the service: what it shows, what it includes beside it, and what it could not show.
 *
 * The service never gives an empty `data` (it leaves it out) and reports what a caller may not see in the
 * `errors` of a success, so whoever reads an answer has to look at both.
 */
import type { Problem } from './failure.ts'
import { isObject, type Json } from './json.ts'

export interface Answer {
  /** An object of `includes`, by its id (media by their key). */
  included(kind: IncludedKind, id: string): Json | undefined
  /** Why an object of a kind is not shown. */
  problemOf(kind: 'message' | 'user', id: string): Problem | undefined
  /** Why a field of a message is not shown. */
  problemOfField(messageId: string, fields: readonly string[]): Problem | undefined
  /** Problems that are about nothing in particular. */
  readonly general: readonly Problem[]
}

export type IncludedKind = 'users' | 'media' | 'polls' | 'places'

/** Of what was never asked for. */
export const emptyAnswer: Answer = {
  included: () => undefined,
  problemOf: () => undefined,
  problemOfField: () => undefined,
  general: [],
}

const kindOf: Readonly<Record<string, 'message' | 'user' | undefined>> = Object.assign(
  Object.create(null) as Record<string, 'message' | 'user'>,
  { tweet: 'message', post: 'message', user: 'user' },
)

export function answerFrom(includes: unknown, problems: readonly Problem[]): Answer {
  const indexes = new Map<IncludedKind, ReadonlyMap<string, Json>>()
  const objects = new Map<string, Problem>()
  const fields = new Map<string, Problem>()
  const general: Problem[] = []
  for (const problem of problems) {
    const id = problem.resourceId ?? problem.value
    if (id === undefined) general.push(problem)
    else if (problem.field !== undefined) fields.set(`${id} ${problem.field}`, problem)
    else {
      // An id that was asked for is a message, whatever type the service gives; others are typed.
      const kind = problem.parameter === 'ids' || problem.parameter === 'id' ? 'message' : undefined
      objects.set(`${kind ?? kindOf[problem.resourceType ?? ''] ?? 'message'} ${id}`, problem)
    }
  }
  return {
    general,
    included(kind, id) {
      let index = indexes.get(kind)
      if (index === undefined) {
        const list = isObject(includes) ? includes[kind] : undefined
        const key = kind === 'media' ? 'media_key' : 'id'
        index = new Map(
          (Array.isArray(list) ? list : []).filter(isObject).map((object) => [String(object[key]), object]),
        )
        indexes.set(kind, index)
      }
      return index.get(id)
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
