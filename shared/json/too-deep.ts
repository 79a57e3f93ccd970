/** A bound for JSON of any form: `JSON.stringify` recurses, so that a value of thousands of levels fails a whole response. */
import { isPlain } from './is-object.ts'

const mostLevels = 1000

/** Whether the value has too many lists and objects within each other. Instances of classes are not examined. */
export function isTooDeep(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const members = Array.isArray(value) ? value : isPlain(value) ? Object.values(value) : []
  return members.some((member) => isTooDeep(member, levels - 1))
}
