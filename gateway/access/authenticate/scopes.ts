/**
 * The scopes of a verified token: from `scope` (space-separated, RFC 8693), and from `scp` and `scopes`, which
 * other issuers use, as text or as a list. An issuer's own names also stand for ours, where aliases say so.
 */

const claimNames = ['scope', 'scp', 'scopes'] as const

export type ScopeAliases = Readonly<Record<string, readonly string[]>>

export function scopeReader(
  aliases: ScopeAliases = {},
): (claims: Readonly<Record<string, unknown>>) => Set<string> {
  const ours = new Map(Object.entries(aliases))
  return (claims) => {
    const scopes = new Set<string>()
    const add = (text: string) => {
      for (const scope of text.split(/\s+/)) {
        if (scope === '') continue
        scopes.add(scope)
        for (const alias of ours.get(scope) ?? []) scopes.add(alias)
      }
    }
    for (const name of claimNames) {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined
      if (typeof value === 'string') add(value)
      else if (Array.isArray(value)) for (const item of value) if (typeof item === 'string') add(item)
    }
    return scopes
  }
}
