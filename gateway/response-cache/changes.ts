/**
 * The order of changes in this process. A change is a number and the tags of what has changed. The last change of each
 * tag is remembered; if there are too many tags, those that changed longest ago are forgotten for a bound that then
 * holds for every tag.
 *
 * Each change is a small step after the last one. Those that are numbered by Redis (`redis-cache.ts`) are milliseconds
 * since 1970: a change that is made while Redis is away comes after all that is known of it, and before all that follows.
 */
import type { Changes } from './types.ts'

/** Numbers of milliseconds since 1970 have room for 4,096 steps in each. */
export const changeStep = 1 / 4096

export interface LocalChanges extends Changes {
  note(tags: readonly string[]): void
  /** Takes a change in that was made elsewhere, or numbered there. */
  take(number: number, tags: readonly string[]): void
  /** Nothing that was asked for before `number` is good any more. */
  raiseFloor(number: number): void
}

export interface ChangesOptions {
  /** 50,000. */
  readonly mostTags?: number | undefined
}

export function createChanges({ mostTags = 50_000 }: ChangesOptions = {}): LocalChanges {
  /** In the order of their numbers. */
  const lastOfTag = new Map<string, number>()
  let last = 0
  let floor = 0

  const take = (number: number, tags: readonly string[]): void => {
    if (number > last) last = number
    for (const tag of tags) {
      lastOfTag.delete(tag)
      lastOfTag.set(tag, number)
    }
    for (const [tag, changed] of lastOfTag) {
      if (lastOfTag.size <= mostTags) return
      if (changed > floor) floor = changed
      lastOfTag.delete(tag)
    }
  }

  return {
    last: () => last,
    holds(number, tags) {
      if (number < floor) return false
      if (lastOfTag.size === 0) return true
      for (const tag of tags) {
        const changed = lastOfTag.get(tag)
        if (changed !== undefined && changed > number) return false
      }
      return true
    },
    take,
    note: (tags) => take(last + changeStep, tags),
    raiseFloor(number) {
      if (number > floor) floor = number
      if (number > last) last = number
    },
  }
}
