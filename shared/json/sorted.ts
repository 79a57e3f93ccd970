/** The value with objects as sorted lists of members: its JSON is the same in whatever order the members were written. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, each]) => [key, sorted(each)])
}
