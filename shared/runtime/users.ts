/** How many use something that is closed after its last user, such as hooks of a program that several graphs call. */
const users = new WeakMap<object, number>()

/** Another one uses it, until it calls `isLastUser`. */
export function use(used: object): void {
  users.set(used, (users.get(used) ?? 0) + 1)
}

/** Ends one use. Whether nobody else uses it. */
export function isLastUser(used: object): boolean {
  const others = (users.get(used) ?? 1) - 1
  if (others > 0) users.set(used, others)
  else users.delete(used)
  return others === 0
}
