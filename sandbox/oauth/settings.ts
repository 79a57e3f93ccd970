/** The settings of oidc-provider for the authorization server, and the page on which a person signs in. */
import { randomBytes } from 'node:crypto'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'

export const people = ['ada', 'grace', 'alan'] as const

/** Ways of signing in, the weakest first. */
export const signInWays = ['urn:tessera:sandbox:password', 'urn:tessera:sandbox:two-factors'] as const

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * The page on which a person of the sandbox signs in: a choice of names, without a password. `way` is the way that
 * the application wants.
 */
export function signInPage(uid: string, application: string, way: string): string {
  const buttons = people
    .map((name) => `<button name="person" value="${name}">Sign in as ${name}</button>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<title>Sign in · Tessera sandbox</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px system-ui;max-width:24rem;margin:4rem auto}button{display:block;width:100%;margin:.5rem 0;padding:.75rem;font:inherit}</style>
<h1>Tessera sandbox</h1>
<p>${escaped(application)} asks who you are (${escaped(way)}). This is for development: there is no password.</p>
<form method="post" action="/interaction/${escaped(uid)}">
${buttons}
</form>
`
}

export interface SettingsOptions {
  /** The address of the graph, which is the audience of tokens. */
  readonly resource: string
  readonly scopes: readonly string[]
  readonly format: 'jwt' | 'opaque'
  readonly tokenSeconds: number
  /** Further addresses to which the application may be redirected. */
  readonly redirectUris: readonly string[]
}

/** A client without a secret: an application on this machine. */
export const applicationId = 'tessera-app'
/** The gateway, which introspects and exchanges tokens. */
export const gatewayClient = { id: 'tessera-gateway', secret: 'sandbox-only-not-a-secret' } as const

const loopback = ['127.0.0.1', 'localhost'].flatMap((host) => [`http://${host}/`, `http://${host}/callback`])

/** `policy` is oidc-provider's own, with our way of signing in added. `keys` are the signing keys as JWKs. */
export function settingsOf(
  { resource, scopes, format, tokenSeconds, redirectUris }: SettingsOptions,
  keys: readonly object[],
  policy: NonNullable<NonNullable<Configuration['interactions']>['policy']>,
): Configuration {
  const all = scopes.join(' ')
  return {
    jwks: { keys: [...keys] as NonNullable<Configuration['jwks']>['keys'] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: ['openid', 'profile', 'offline_access', ...scopes],
    acrValues: [...signInWays],
    claims: { openid: ['sub', 'acr', 'auth_time'], profile: ['name'] },
    clients: [
      {
        client_id: applicationId,
        client_name: 'An application',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [...new Set([...loopback, ...redirectUris])],
      },
      {
        client_id: gatewayClient.id,
        client_secret: gatewayClient.secret,
        grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
        response_types: [],
        redirect_uris: [],
      },
    ],
    // A client that registers itself names the scopes that it wants at first, and steps up to others later.
    extraClientMetadata: {
      properties: ['sandbox'],
      validator(_context, _property, _value, metadata) {
        delete metadata.scope
      },
    },
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    ttl: {
      AccessToken: tokenSeconds,
      ClientCredentials: tokenSeconds,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: tokenSeconds,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      registration: { enabled: true },
      dPoP: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: all,
          audience: resource,
          accessTokenFormat: format,
          accessTokenTTL: tokenSeconds,
          ...(format === 'jwt' ? { jwt: { sign: { alg: 'RS256' as const } } } : {}),
        }),
      },
    },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
    // Every requested scope is granted, because there is nothing to protect.
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const accountId = oidc.session?.accountId
      const clientId = oidc.client?.clientId
      if (accountId === undefined || clientId === undefined) return undefined
      const grant = new oidc.provider.Grant({ accountId, clientId })
      grant.addOIDCScope('openid profile offline_access')
      // The graph has several addresses on this machine. The audience is the same whichever is requested.
      for (const asked of [resource, ...Object.keys(oidc.resourceServers ?? {})])
        grant.addResourceScope(asked, all)
      await grant.save()
      return grant
    },
    // When and how the person signed in, for fields that demand it.
    async extraTokenClaims({ oidc }, token) {
      const { sessionUid } = token as { sessionUid?: string }
      if (sessionUid === undefined) return undefined
      const session = await oidc.provider.Session.findByUid(sessionUid)
      if (session === undefined) return undefined
      const { acr } = session as { acr?: string }
      return { auth_time: session.authTime(), ...(acr === undefined ? {} : { acr }) }
    },
  }
}
