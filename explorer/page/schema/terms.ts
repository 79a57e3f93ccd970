/**
 * Reads what the gateway adds at the end of a description: the scopes that a field needs and the units that it
 * costs. Pure.
 */
interface Terms {
  /** All scopes that are named, including alternatives. */
  readonly scopes: readonly string[]
  /** Undefined if no price is given. */
  readonly units: number | undefined
}

export const isTerms = (paragraph: string): boolean => /^(Requires|Costs) /.test(paragraph)

export function termsOf(description: string | null | undefined): Terms {
  const last = (description ?? '').split('\n\n').at(-1) ?? ''
  if (!isTerms(last)) return { scopes: [], units: undefined }
  const [, required = ''] = /^Requires (.*?)\.(?: Costs|$)/s.exec(last) ?? []
  const [, units] = /Costs (\d+) quota units?/.exec(last) ?? []
  return {
    scopes: [...new Set([...required.matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope))],
    units: units === undefined ? undefined : Number(units),
  }
}
