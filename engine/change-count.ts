/**
 * Counts the changes that callers have made through this process, to order them with shared work. Work notes the
 * count when it begins: it has seen every change whose number is not greater. A counter is cheaper than reading the
 * clock for each request.
 */
let changes = 0

/** The number of the last change. */
export const lastChange = (): number => changes

/** Counts a change and returns its number. */
export function noteChange(): number {
  changes += 1
  return changes
}
