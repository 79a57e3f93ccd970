/**
 * The graph as a resource with independent software: oidc-provider gives the tokens, oauth4webapi and openid-client
 * request them. A client that is refused a field requests the scope that the error names, and succeeds.
 */
import { generateKeyPairSync } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import {
  applicationId,
  gatewayClient,
  type OauthServer,
  startOauthServer,
} from '../../sandbox/oauth/index.ts'
import { allScopes, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'
import { postJson } from '../support/post-json.ts'
import { type Browser, createBrowser } from '../support/sign-in.ts'
import { temporaryFile } from '../support/temporary.ts'

const resource = 'https://graph.example.com/graphql'
const callback = 'http://127.0.0.1:9/callback'
const insecure = { [oauth.allowInsecureRequests]: true }
const client: oauth.Client = { client_id: applicationId }

const stepUp = JSON.stringify({
  'Query.channel': { maxAge: 4 },
  'Metrics.buildInfo': { acrValues: ['urn:tessera:sandbox:two-factors'] },
})

const given = { resource, scopes: allScopes.split(' ') }
const jwtServer = keepForFile(await startOauthServer(given))
const opaqueServer = keepForFile(await startOauthServer({ ...given, format: 'opaque' }))
/** Whose JWTs a gateway takes. */
const jwtIssuer = {
  TESSERA_JWT_JWKS_URL: `${jwtServer.url}/jwks`,
  TESSERA_JWT_ISSUER: jwtServer.url,
  TESSERA_JWT_AUDIENCE: resource,
}
/** Whose opaque tokens a gateway takes; how it proves itself there is another matter. */
const opaqueIssuer = {
  TESSERA_INTROSPECTION_URL: `${opaqueServer.url}/token/introspection`,
  TESSERA_JWT_ISSUER: opaqueServer.url,
  TESSERA_JWT_AUDIENCE: resource,
}
const graph = keepForFile(
  await startGraph({
    env: {
      ...jwtIssuer,
      TESSERA_JWT_TYPE: 'at+jwt',
      TESSERA_DPOP: 'accept',
      TESSERA_DPOP_NONCE: 'true',
      TESSERA_STEP_UP: stepUp,
    },
  }),
)
const opaqueGraph = keepForFile(
  await startGraph({
    env: {
      ...opaqueIssuer,
      TESSERA_INTROSPECTION_CLIENT_ID: gatewayClient.id,
      TESSERA_INTROSPECTION_CLIENT_SECRET: gatewayClient.secret,
      TESSERA_INTROSPECTION_CACHE_SECONDS: '0',
      TESSERA_DPOP: 'accept',
    },
  }),
)

async function serverAt(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, insecure))
}

interface Wish {
  readonly scope: string
  readonly acr_values?: string | undefined
  readonly max_age?: string | undefined
  readonly DPoP?: oauth.DPoPHandle
}

/** The code flow with PKCE, from the first request to the token. */
async function tokenFor(
  { DPoP, ...wish }: Wish,
  at: OauthServer = jwtServer,
  browser: Browser = createBrowser(),
): Promise<string> {
  const server = await serverAt(at.url)
  const verifier = oauth.generateRandomCodeVerifier()
  const address = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    ...wish,
    scope: `openid ${wish.scope}`,
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value)
  const back = await browser.signIn(address.href, 'ada')
  const validated = oauth.validateAuthResponse(server, client, back, oauth.skipStateCheck)
  const request = () =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), validated, callback, verifier, {
      ...insecure,
      ...(DPoP === undefined ? {} : { DPoP }),
    })
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await request(),
  )
  return token
}

type Options = Parameters<typeof oauth.protectedResourceRequest>[5]

async function ask(token: string, query: string, at = graph, options: Options = {}): Promise<Response> {
  return oauth.protectedResourceRequest(
    token,
    'POST',
    new URL(at.url),
    new Headers({ 'content-type': 'application/json', accept: 'application/graphql-response+json' }),
    JSON.stringify({ query }),
    { ...insecure, ...options },
  )
}

const guarded = '{ message(messageId: "20") { text } }'

/** The parameters with which the Bearer challenge of a refusal says what to ask for. */
async function challengeIn(asking: Promise<Response>): Promise<Record<string, string | undefined>> {
  try {
    await asking
  } catch (error) {
    if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
    const bearer = error.cause.find(({ scheme }) => scheme === 'bearer')
    return { status: String(error.status), ...bearer?.parameters }
  }
  throw new Error('it was not refused')
}

describe('a client that knows nothing but the address of the graph', () => {
  test('finds the issuer, signs in for the scope that the error names, and is answered', async () => {
    const refused = await postJson(graph.url, { query: guarded })
    expect(refused.status).toBe(401)
    const told = refused.headers.get('www-authenticate') ?? ''
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(told) ?? []
    const [, scope = ''] = /scope="([^"]+)"/.exec(told) ?? []
    expect(scope).toBe('tweet.read users.read')
    const about = new URL(graph.url)
    const found = await oauth.processResourceDiscoveryResponse(
      about,
      await oauth.resourceDiscoveryRequest(about, insecure),
    )
    expect(await (await fetch(metadata)).json()).toEqual(found)
    const [issuer] = found.authorization_servers ?? []
    expect(issuer).toBe(jwtServer.url)
    const answer = await ask(await tokenFor({ scope }), guarded)
    expect(await answer.json()).toMatchObject({ data: { message: { text: expect.any(String) } } })
  })

  test('asks for a further scope when a field is refused', async () => {
    const browser = createBrowser()
    const first = await tokenFor({ scope: 'users.read' }, jwtServer, browser)
    const { status, error, scope } = await challengeIn(ask(first, guarded))
    expect([status, error, scope]).toEqual(['403', 'insufficient_scope', 'tweet.read'])
    const second = await tokenFor({ scope: `users.read ${scope}` }, jwtServer, browser)
    expect((await ask(second, guarded)).status).toBe(200)
  })
})

describe('step-up', () => {
  test('by a way of signing in', async () => {
    const browser = createBrowser()
    const query = '{ metrics { buildInfo { version } } }'
    const weak = await tokenFor({ scope: 'metrics.read' }, jwtServer, browser)
    const { status, error, acr_values } = await challengeIn(ask(weak, query))
    expect([status, error]).toEqual(['401', 'insufficient_user_authentication'])
    const strong = await tokenFor({ scope: 'metrics.read', acr_values }, jwtServer, browser)
    expect((await ask(strong, query)).status).toBe(200)
  })

  test('by a fresh sign-in', async () => {
    const browser = createBrowser()
    const query = '{ channel(channelId: "UC") { channelId } }'
    const first = await tokenFor({ scope: 'media.read' }, jwtServer, browser)
    const old = await expect
      .poll(() => challengeIn(ask(first, query)).catch(() => undefined), { interval: 300 })
      .toMatchObject({ error: 'insufficient_user_authentication', max_age: '4' })
      .then(() => challengeIn(ask(first, query)))
    // A machine that needs longer than the token may be old signs in again.
    const again = async (): Promise<number> => {
      const fresh = await tokenFor({ scope: 'media.read', max_age: old.max_age }, jwtServer, browser)
      return (await ask(fresh, query)).status
    }
    await expect.poll(() => again().catch(() => undefined)).toBe(200)
  })
})

test('DPoP with a nonce: the client learns the nonce and continues', async () => {
  const keys = await oauth.generateKeyPair('ES256')
  const DPoP = oauth.DPoP(client, keys)
  const token = await tokenFor({ scope: 'tweet.read users.read', DPoP })
  let refused = 0
  const asking = async (): Promise<Response> => {
    try {
      return await ask(token, guarded, graph, { DPoP })
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error
      refused += 1
      return await ask(token, guarded, graph, { DPoP })
    }
  }
  expect([(await asking()).status, (await asking()).status, refused]).toEqual([200, 200, 1])
  // Without the key it is worth nothing.
  await expect(ask(token, guarded)).rejects.toThrow()
  const others = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
  await expect(ask(token, guarded, graph, { DPoP: others })).rejects.toThrow()
})

describe('opaque tokens', () => {
  test('are taken until they are revoked', async () => {
    const token = await tokenFor({ scope: 'tweet.read users.read' }, opaqueServer)
    expect(token.split('.').length).toBe(1)
    expect((await ask(token, guarded, opaqueGraph)).status).toBe(200)
    const server = await serverAt(opaqueServer.url)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), token, insecure),
    )
    await expect
      .poll(() => challengeIn(ask(token, guarded, opaqueGraph)).catch(() => undefined))
      .toMatchObject({ status: '401', error: 'invalid_token' })
  })

  test('may be bound to a key', async () => {
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
    const token = await tokenFor({ scope: 'tweet.read users.read', DPoP }, opaqueServer)
    expect((await ask(token, guarded, opaqueGraph, { DPoP })).status).toBe(200)
    await expect(ask(token, guarded, opaqueGraph)).rejects.toThrow()
  })
})

test('openid-client signs in and is answered', async () => {
  const config = await openid.discovery(new URL(jwtServer.url), applicationId, undefined, openid.None(), {
    execute: [openid.allowInsecureRequests],
  })
  const verifier = openid.randomPKCECodeVerifier()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid metrics.read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const back = await createBrowser().signIn(address.href, 'grace')
  const { access_token: token } = await openid.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
  })
  const query = '{ metrics { query(query: "up") { resultType } } }'
  const answer = await openid.fetchProtectedResource(
    config,
    token,
    new URL(graph.url),
    'POST',
    JSON.stringify({ query }),
    new Headers({ 'content-type': 'application/json' }),
  )
  expect(await answer.json()).toMatchObject({ data: { metrics: { query: { resultType: 'vector' } } } })
})

test("the caller's token is exchanged for one that is valid at the service", async () => {
  const exchange = {
    token_url: `${jwtServer.url}/token`,
    client_id: gatewayClient.id,
    client_secret: gatewayClient.secret,
    audience: 'https://messages.example.com',
  }
  const file = temporaryFile('client.json', JSON.stringify(exchange))
  await using exchanging = await startGraph({
    env: { ...jwtIssuer, TESSERA_MESSAGES_CREDENTIAL: `exchange:${file}`, TESSERA_LOG_LEVEL: 'debug' },
  })
  const token = await tokenFor({ scope: 'tweet.read users.read' })
  for (let time = 0; time < 2; time++) expect((await ask(token, guarded, exchanging)).status).toBe(200)
  const shown = exchanging.sandbox.journal.map(({ headers }) => headers.authorization?.slice(7) ?? '')
  expect(new Set(shown).size).toBe(1)
  const claims = JSON.parse(Buffer.from(shown[0]?.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ sub: 'ada', aud: 'https://messages.example.com', iss: jwtServer.url })
  for (const secret of [token, shown[0] ?? '', gatewayClient.secret])
    expect(exchanging.log.join('\n').includes(secret)).toBe(false)
})

test('the gateway proves itself by a private key: at introspection, and for its own tokens', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const given = await postJson(`${opaqueServer.url}/reg`, {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'EdDSA',
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'EdDSA', use: 'sig' }] },
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  })
  const { client_id: clientId } = (await given.json()) as { client_id: string }
  const own = {
    token_url: `${opaqueServer.url}/token`,
    client_id: clientId,
    client_auth: 'private_key_jwt',
    private_key: pem,
    private_key_id: 'k1',
    assertion_audience: opaqueServer.url,
    scope: 'tweet.read',
  }
  const file = temporaryFile('client.json', JSON.stringify(own))
  await using keyed = await startGraph({
    env: {
      ...opaqueIssuer,
      TESSERA_INTROSPECTION_CLIENT_ID: clientId,
      TESSERA_INTROSPECTION_CLIENT_KEY: pem,
      TESSERA_INTROSPECTION_CLIENT_KEY_ID: 'k1',
      TESSERA_MESSAGES_CREDENTIAL: `client:${file}`,
      TESSERA_LOG_LEVEL: 'debug',
    },
  })
  const token = await tokenFor({ scope: 'tweet.read users.read' }, opaqueServer)
  expect((await ask(token, guarded, keyed)).status).toBe(200)
  const [{ headers } = { headers: {} as Record<string, string> }] = keyed.sandbox.journal
  expect(headers.authorization).toMatch(/^Bearer \S{20,}$/)
  expect(headers.authorization).not.toContain(token)
  await expect(ask('made-up', guarded, keyed)).rejects.toThrow()
  expect(keyed.log.join('\n')).not.toContain('client_assertion')
})

test('the authorization server answers only under its own names', async () => {
  const { request } = await import('undici')
  for (const path of ['/.well-known/openid-configuration', '/auth', '/interaction/abc', '/token']) {
    const { statusCode, body } = await request(`${jwtServer.url}${path}`, {
      headers: { host: 'evil.example' },
    })
    await body.dump()
    expect([path, statusCode]).toEqual([path, 421])
  }
})
