/**
 * With which piece each error of an execution is sent: with what it belongs to, or with the next piece if that is
 * made already or never will be. Each is sent once, and what is lost always has one.
 */
import { GraphQLError } from 'graphql'
import type { ErrorList } from '../error-list.ts'
import type { Path } from './pieces.ts'

/** What an error belongs to: a part of an object or items of a list, by the name and the path; undefined: what comes first. */
export type OwnerOf = (path: Path) => { readonly name: string; readonly path: Path } | undefined

export interface SentErrors {
  /** Those of what was just made, and those that came too late for theirs. `isLast`: nothing more comes of it. */
  made(name: string, path: Path, value: unknown, isLast?: boolean): readonly GraphQLError[]
  /** Why something at this path is lost, which clients know by its errors alone: one that was sent already, if need be. */
  reasons(own: readonly GraphQLError[], path: Path): readonly GraphQLError[]
  /** Those that were not sent yet. */
  rest(): readonly GraphQLError[]
}

export function createSentErrors(errors: ErrorList, ownerOf: OwnerOf): SentErrors {
  const told = new Set<GraphQLError>()
  const finished = new Set<string>()
  let isMoreTold = false

  function take(which: (error: GraphQLError) => boolean): readonly GraphQLError[] {
    const found = errors.listed.filter((error) => !told.has(error) && which(error))
    for (const error of found) told.add(error)
    if (!errors.more || isMoreTold) return found
    isMoreTold = true
    return [...found, ...errors.all().slice(-1)]
  }

  return {
    made(name, path, value, isLast = true) {
      const own = keyOf(name, path)
      if (isLast) finished.add(own)
      return take((error) => {
        const owner = error.path === undefined ? undefined : ownerOf(error.path)
        const of = owner === undefined ? undefined : keyOf(owner.name, owner.path)
        if (owner === undefined || of === undefined || of === own || finished.has(of)) return true
        // What it would belong to is not there.
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
      const unknown = 'What belongs here is lost: a field in it must not be null.'
      return [known ?? new GraphQLError(unknown, { path, extensions: { code: 'UPSTREAM_BAD_RESPONSE' } })]
    },
    rest: () => take(() => true),
  }
}

const keyOf = (name: string, path: Path): string => JSON.stringify([name, path])

/** Whether something stands at the path. */
export function stands(value: unknown, path: Path): boolean {
  let at = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<string | number, unknown>)[step]
  }
  return at !== null && at !== undefined
}
