/**
 * The value of `Vary` that says what all of these say, each name once. One line, because some caches read a single one.
 * `*` stands for every header.
 */
export function joinedVary(values: readonly (string | undefined)[]): string {
  const names = new Map<string, string>()
  for (const value of values)
    for (const name of value?.split(',') ?? []) {
      const trimmed = name.trim()
      const key = trimmed.toLowerCase()
      if (key !== '' && !names.has(key)) names.set(key, trimmed)
    }
  return names.has('*') ? '*' : [...names.values()].join(', ')
}
