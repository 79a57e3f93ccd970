/** The caller of a stand-in, as its bearer token describes it. */
import type { IncomingHttpHeaders } from 'node:http'

export interface Caller {
  readonly isAnonymous: boolean
  has(scope: string): boolean
}

/**
 * The token `scopes:a+b` has exactly these scopes, and any other token has all. A caller without a token is the
 * demo user with all scopes, unless authorization is required.
 */
export function callerFrom(headers: IncomingHttpHeaders, requireAuth: boolean): Caller {
  const { authorization } = headers
  if (authorization === undefined || !/^bearer /i.test(authorization)) {
    return { isAnonymous: true, has: () => !requireAuth }
  }
  const token = authorization.slice(7)
  if (!token.startsWith('scopes:')) return { isAnonymous: false, has: () => true }
  const scopes = new Set(token.slice('scopes:'.length).split('+'))
  return { isAnonymous: false, has: (scope) => scopes.has(scope) }
}
