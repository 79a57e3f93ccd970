/** Inserts the values of `environment: NAME` wherever a section has one: as `value` instead of it. */

export interface MissingVariable {
  readonly path: readonly (string | number)[]
  readonly name: string
}

/** The same section with its values; each variable that is not set is added to `missing`. */
export function withEnvironment(
  section: unknown,
  env: Readonly<Record<string, string | undefined>>,
  missing: MissingVariable[],
  path: readonly (string | number)[] = [],
): unknown {
  if (Array.isArray(section))
    return section.map((item, at) => withEnvironment(item, env, missing, [...path, at]))
  if (typeof section !== 'object' || section === null) return section
  const made: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(section)) {
    if (key !== 'environment' || typeof value !== 'string') {
      made[key] = withEnvironment(value, env, missing, [...path, key])
      continue
    }
    const found = env[value]
    if (found === undefined || found === '') missing.push({ path: [...path, key], name: value })
    else made.value = found
  }
  return made
}
