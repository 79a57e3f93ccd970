/**
 * Access tokens for a service from an authorization server: one for the client itself (client credentials, RFC 6749
 * section 4.4), or one for each caller in exchange for the caller's own token (RFC 8693).
 */
import { createClientAuthentication } from '../../../shared/http/client-authentication.ts'
import { callerName, type Identity, rightsOf, unchecked } from '../../../shared/identity.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { OauthClient } from './oauth-file.ts'
import { digest, nothing, type OpenCredential } from './open-credential.ts'
import { createTokenCache } from './token-cache.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

const accessToken = 'urn:ietf:params:oauth:token-type:access_token'

function createAsking(client: OauthClient, now: () => number, perCaller: boolean) {
  const endpoint = createTokenEndpoint(client.tokenUrl, { now, perCaller })
  const authenticate = createClientAuthentication(client.clientId, client.proof, now)
  return {
    close: endpoint.close,
    async ask(grant: Readonly<Record<string, string>>) {
      const form = new URLSearchParams(grant)
      for (const name of ['scope', 'audience', 'resource'] as const) {
        const value = client[name]
        if (value !== undefined) form.set(name, value)
      }
      return endpoint.fetch(form, await authenticate(form))
    },
  }
}

export function createClientTokens(client: OauthClient, now: () => number = Date.now): OpenCredential {
  const key = digest('client', `${client.file}\0`)
  const { ask, close } = createAsking(client, now, false)
  const cache = createTokenCache({ now, most: 1 })
  return {
    headers: () => cache.headers('', () => ask({ grant_type: 'client_credentials' })),
    key: () => key,
    renew: cache.renew,
    close,
  }
}

function tokenOf(request: SubgraphRequest): string | undefined {
  return /^(?:bearer|dpop) +([\x21-\x7e]+) *$/i.exec(request.header('authorization') ?? '')?.[1]
}

/** By identity. All requests with one token have the same identity object. */
const holders = new WeakMap<Identity, string>()

/**
 * Names whom a token is for: equal for the same rights of the same caller, and undefined if there is no caller. A token
 * that names nobody is a holder of its own.
 */
function holderOf(request: SubgraphRequest): string | undefined {
  const { identity } = request
  if (identity === undefined || identity === unchecked) return tokenOf(request)
  if (!identity.authenticated) return undefined
  let holder = holders.get(identity)
  if (holder === undefined) {
    holder = callerName(identity) === undefined ? tokenOf(request) : JSON.stringify(rightsOf(identity))
    if (holder === undefined) return undefined
    holders.set(identity, holder)
  }
  return holder
}

/** The key names the caller as well as the client, so no caller shares what another one's token has fetched. */
export function createExchangedTokens(client: OauthClient, now: () => number = Date.now): OpenCredential {
  const { ask, close } = createAsking(client, now, true)
  const cache = createTokenCache({ now })
  return {
    headers(request) {
      const holder = holderOf(request)
      const token = tokenOf(request)
      if (holder === undefined || token === undefined) return nothing
      return cache.headers(holder, () =>
        ask({
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: token,
          subject_token_type: accessToken,
          requested_token_type: accessToken,
        }),
      )
    },
    key(request) {
      const holder = tokenOf(request) === undefined ? undefined : holderOf(request)
      return holder === undefined ? 'none' : digest('exchange', `${client.file}\0${holder}`)
    },
    renew: cache.renew,
    close,
  }
}
