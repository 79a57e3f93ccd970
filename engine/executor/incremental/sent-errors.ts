/**
 * Decides with which payload each error is sent: with that of its delivery group or list, or with the next payload if
 * that one was sent already or never will be. Each error is sent once, and every lost fragment or list has one.
 */
import { GraphQLError } from 'graphql'
import type { ResponseShape } from '../../response/index.ts'
import type { ErrorList } from '../error-list.ts'
import type { Path } from './pieces.ts'

export interface SentErrors {
  /** The errors of a new payload, and those that came too late for theirs. `isLast`: no more payloads follow for it. */
  made(name: string, path: Path, value: unknown, isLast?: boolean): readonly GraphQLError[]
  /**
   * The errors for a completion at this path. Clients know a loss by its errors alone, so an error may be sent again.
   */
  reasons(own: readonly GraphQLError[], path: Path): readonly GraphQLError[]
  /** The errors that were not sent. */
  rest(): readonly GraphQLError[]
}

export function createSentErrors(errors: ErrorList, shape: ResponseShape): SentErrors {
  const sent = new Set<GraphQLError>()
  const finished = new Set<string>()
  let isMoreSent = false

  function take(which: (error: GraphQLError) => boolean): readonly GraphQLError[] {
    const found = errors.listed.filter((error) => !sent.has(error) && which(error))
    for (const error of found) sent.add(error)
    if (!errors.more || isMoreSent) return found
    isMoreSent = true
    return [...found, ...errors.all().slice(-1)]
  }

  return {
    made(name, path, value, isLast = true) {
      const own = keyOf(name, path)
      if (isLast) finished.add(own)
      return take((error) => {
        const owner = error.path === undefined ? undefined : shape.ownerOf(error.path)
        const of = owner === undefined ? undefined : keyOf(owner.name, owner.path)
        if (owner === undefined || of === undefined || of === own || finished.has(of)) return true
        // Its own place is not in the response.
        const isWithin = path.every((step, index) => owner.path[index] === step)
        return isWithin && !stands(value, owner.path.slice(path.length))
      })
    },
    reasons(own, path) {
      if (own.length > 0) return own
      const isBelow = (error: GraphQLError): boolean => path.every((step, at) => error.path?.[at] === step)
      const late = take(isBelow)
      if (late.length > 0) return late
      const [known] = errors.listed.filter(isBelow)
      const unknown = 'This data was lost, because a non-null field in it is null.'
      return [known ?? new GraphQLError(unknown, { path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } })]
    },
    rest: () => take(() => true),
  }
}

const keyOf = (name: string, path: Path): string => JSON.stringify([name, path])

/** Whether there is a value at the path. */
export function stands(value: unknown, path: Path): boolean {
  let at = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<string | number, unknown>)[step]
  }
  return at !== null && at !== undefined
}
