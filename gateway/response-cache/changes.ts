/**
 * The order of changes in this process. A change is a number and the tags of what has changed. The last change of each
 * tag is remembered. If there are too many tags, the oldest ones are dropped, and their last number becomes a bound for
 * every tag.
 *
 * Each change is a small step after the last one. Changes that Redis numbers (`redis-cache.ts`) are milliseconds since
 * 1970. A change that is made while Redis is away comes after all known ones, and before all later ones.
 */

/** Milliseconds since 1970 leave room for 4,096 steps in each. */
const changeStep = 1 / 4096

export type LocalChanges = ReturnType<typeof createChanges>

const mostTags = 50_000

export function createChanges() {
  /** In the order of the changes. */
  const lastOfTag = new Map<string, number>()
  let last = 0
  let floor = 0

  /** Adds a change that was made or numbered elsewhere. A newer change of a tag may be known already. */
  const take = (number: number, tags: readonly string[]): void => {
    if (number > last) last = number
    for (const tag of tags) {
      if (number < (lastOfTag.get(tag) ?? 0)) continue
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
    holds(number: number, tags: readonly string[]): boolean {
      if (number < floor) return false
      if (lastOfTag.size === 0) return true
      for (const tag of tags) {
        const changed = lastOfTag.get(tag)
        if (changed !== undefined && changed > number) return false
      }
      return true
    },
    take,
    note: (tags: readonly string[]): void => take(last + changeStep, tags),
    /** Everything that was fetched before `number` is invalid. */
    raiseFloor(number: number): void {
      if (number > floor) floor = number
      if (number > last) last = number
    },
  }
}
