/**
 * The authorization code flow with PKCE, for a client without a secret, by oauth4webapi: from the address to which
 * the browser is sent to the token. It is loaded when a user signs in.
 */
import * as oauth from 'oauth4webapi'
import type { ExplorerSignIn } from '../../settings.ts'

/** The reason for a new token. */
export interface SignInOptions {
  readonly scopes: readonly string[]
  /** Ways of signing in, separated by spaces. Any of them is enough. */
  readonly acrValues?: string | undefined
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAge?: number | undefined
  /** Asks the user to sign in even if the server knows one. */
  readonly again?: boolean | undefined
  /** The refused operation, which is run when the token is there. It is the one that is open. */
  readonly run?: { readonly operationName: string | undefined } | undefined
}

export interface SignedIn extends Pick<SignInOptions, 'scopes' | 'run'> {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly endsAt: number | undefined
  /** The subject of the token. */
  readonly person: string
}

/** What must be remembered until the browser returns. */
export interface Pending extends Pick<SignInOptions, 'scopes' | 'run'> {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  /** The query of the page's address. */
  readonly search: string
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Plain HTTP is allowed only on this machine. */
function requestOptions(issuer: URL): { [oauth.allowInsecureRequests]?: boolean; signal: AbortSignal } {
  const signal = AbortSignal.timeout(15_000)
  return issuer.protocol === 'http:' && loopback.has(issuer.hostname)
    ? { [oauth.allowInsecureRequests]: true, signal }
    : { signal }
}

async function discover({ issuer }: ExplorerSignIn): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, requestOptions(url)))
}

/** The address to which the browser goes, and what to remember meanwhile. */
export async function authorizationOf(
  place: ExplorerSignIn,
  { scopes, acrValues, maxAge, again, run }: SignInOptions,
  redirectUri: string,
): Promise<{ readonly address: string; readonly pending: Pending }> {
  const { authorization_endpoint: endpoint } = await discover(place)
  if (endpoint === undefined) throw new Error('The authorization server has no authorization endpoint.')
  const pending: Pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    redirectUri,
    scopes,
    search: location.search,
    run,
  }
  const address = new URL(endpoint)
  const parameters: Readonly<Record<string, string | undefined>> = {
    client_id: place.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: ['openid', ...scopes].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    resource: place.resource,
    acr_values: acrValues,
    max_age: maxAge === undefined ? undefined : String(maxAge),
    prompt: again ? 'login' : undefined,
  }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value)
  return { address: address.href, pending }
}

/** Exchanges the code with which the browser returned. */
export async function tokenOf(place: ExplorerSignIn, pending: Pending, back: URL): Promise<SignedIn> {
  const client: oauth.Client = { client_id: place.clientId }
  const server = await discover(place)
  const parameters = oauth.validateAuthResponse(server, client, back, pending.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    pending.redirectUri,
    pending.verifier,
    {
      ...requestOptions(new URL(place.issuer)),
      ...(place.resource === undefined ? {} : { additionalParameters: { resource: place.resource } }),
    },
  )
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  })
  const seconds = result.expires_in
  return {
    token: result.access_token,
    endsAt: seconds === undefined ? undefined : Date.now() + seconds * 1000,
    // RFC 6749, section 5.1: a response without `scope` means the requested scopes.
    scopes: result.scope?.split(' ').filter((name) => name !== 'openid') ?? pending.scopes,
    person: oauth.getValidatedIdTokenClaims(result)?.sub ?? 'somebody',
    run: pending.run,
  }
}

/** Revokes the token (RFC 7009), if the server has an endpoint for that. */
export async function revoke(place: ExplorerSignIn, token: string): Promise<void> {
  const server = await discover(place)
  if (server.revocation_endpoint === undefined) return
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(
      server,
      { client_id: place.clientId },
      oauth.None(),
      token,
      requestOptions(new URL(place.issuer)),
    ),
  )
}
