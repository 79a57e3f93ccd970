/**
 * The scopes of a verified token: from `scope` (space-separated, RFC 8693), and from `scp` and `scopes`, which other
 * issuers use, as text or as a list. Aliases translate an issuer's own names to ours.
 */
import { LRUCache } from 'lru-cache'

const claimNames = ['scope', 'scp', 'scopes'] as const

export type ScopeAliases = Readonly<Record<string, readonly string[]>>

/** The scopes in the claims of a token, as its issuer calls them. */
export function scopesIn(claims: Readonly<Record<string, unknown>>): string[] {
  const values = claimNames.flatMap((name) => (Object.hasOwn(claims, name) ? claims[name] : []))
  const texts = values.filter((value) => typeof value === 'string')
  return texts.flatMap((text) => text.split(/\s+/)).filter((scope) => scope !== '')
}

/** The number of different texts whose scopes are shared. */
const mostShared = 1000
const longestShared = 2000

interface Shared {
  readonly text: string
  readonly scopes: ReadonlySet<string>
}

/** Callers with the same text in `scope` share one set, and one text in their claims, to save memory. */
export function scopeReader(
  aliases: ScopeAliases = {},
): (claims: Record<string, unknown>) => ReadonlySet<string> {
  const ours = new Map(Object.entries(aliases))
  const shared = new LRUCache<string, Shared>({ max: mostShared })

  function read(claims: Readonly<Record<string, unknown>>): ReadonlySet<string> {
    const scopes = new Set<string>()
    for (const scope of scopesIn(claims)) {
      scopes.add(scope)
      for (const alias of ours.get(scope) ?? []) scopes.add(alias)
    }
    return scopes
  }

  return (claims) => {
    const { scope } = claims
    if (typeof scope !== 'string' || claims.scp !== undefined || claims.scopes !== undefined)
      return read(claims)
    const known = shared.get(scope)
    if (known !== undefined) {
      // The claims of an introspected token may be in use already.
      if (!Object.isFrozen(claims)) claims.scope = known.text
      return known.scopes
    }
    const scopes = read(claims)
    if (scope.length <= longestShared) shared.set(scope, { text: scope, scopes })
    return scopes
  }
}
