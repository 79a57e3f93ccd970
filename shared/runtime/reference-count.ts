/**
 * Counts references to things that are closed after their last user, such as hooks of a program that several graphs
 * call.
 */
const users = new WeakMap<object, number>()

/** Adds a user, until it calls `release`. */
export function retain(used: object): void {
  users.set(used, (users.get(used) ?? 0) + 1)
}

/** Removes a user, and returns whether it was the last one. */
export function release(used: object): boolean {
  const others = (users.get(used) ?? 1) - 1
  if (others > 0) users.set(used, others)
  else users.delete(used)
  return others === 0
}
