/** Who asks, as the gateway tells subgraph services in place of the caller's token. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Identity } from '../../../contract/identity.ts'
import {
  createAssertionAuthenticator,
  createAssertionSigner,
} from '../../../gateway/access/assertion/index.ts'
import { startGraph } from '../../support/graph.ts'
import { serviceSecret, startServices } from '../../support/services.ts'

const ada: Identity = {
  subject: 'ada',
  scopes: new Set(['tweet.read', 'users.read']),
  claims: { acr: 'strong', auth_time: 1, email: 'ada@example.com' },
  authenticated: true,
}
const body = '{"query":"{ a }"}'

async function verdict(
  header: string | undefined,
  { audience = 'messages', sent = body, secret = serviceSecret, now = Date.now } = {},
): Promise<unknown> {
  const on = createAssertionAuthenticator(secret, audience, now)
  try {
    return await on.authenticate(header, { header: () => undefined, body: () => Buffer.from(sent) })
  } catch (error) {
    return (error as { extensions: { authentication: { reason: string } } }).extensions.authentication.reason
  }
}

describe('an assertion', () => {
  const sign = createAssertionSigner(serviceSecret, 'messages')

  test('tells subject, scopes and how the caller signed in, and nothing else of the token', async () => {
    const header = await sign(ada, body)
    expect(await verdict(header)).toMatchObject({
      subject: 'ada',
      scopes: new Set(['tweet.read', 'users.read']),
      claims: { acr: 'strong', auth_time: 1 },
      authenticated: true,
    })
    expect(Object.keys(decodeJwt(header?.slice(7) ?? '')).sort()).toEqual(
      ['acr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'op', 'scope', 'sub'].sort(),
    )
    expect(sign({ ...ada, authenticated: false }, body)).toBeUndefined()
    expect(sign(undefined, body)).toBeUndefined()
    expect(await verdict(undefined)).toMatchObject({ authenticated: false })
  })

  test('is good for one subgraph, one request and a minute, by one secret', async () => {
    const header = await sign(ada, body)
    expect(await verdict(header, { audience: 'videos' })).toBe('audience')
    expect(await verdict(header, { sent: '{"query":"{ b }"}' })).toBe('claims')
    expect(await verdict(header, { secret: 'the secret of somebody else' })).toBe('signature')
    expect(await verdict(header, { now: () => Date.now() + 121_000 })).toBe('expired')
  })

  test('is nothing that the secret itself, or a token of the caller, could be', async () => {
    const text = (key: string) =>
      new SignJWT({ sub: 'ada', scope: 'tweet.read', op: 'a' })
        .setProtectedHeader({ alg: 'HS256', typ: 'tessera-identity+jwt' })
        .setIssuer('tessera')
        .setAudience('messages')
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(new TextEncoder().encode(key))
    expect(await verdict(`Bearer ${await text(serviceSecret)}`)).toBe('signature')
    expect(await verdict('Bearer a.b.c')).toBe('malformed')
    expect(await verdict('Bearer opaque')).toBe('malformed')
    expect(await verdict('Basic dTpw')).toBe('scheme')
  })
})

describe('a split graph', () => {
  const jwtSecret = 'what the issuer and this server share'
  const env = {
    TESSERA_JWT_SECRET: jwtSecret,
    TESSERA_SUBGRAPH_SCOPES: 'true',
    TESSERA_SUBGRAPH_CALLER: 'assertion',
  }
  const token = (scope: string) =>
    new SignJWT({ scope })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('ada')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(jwtSecret))
  const query = '{ message(messageId: "20") { text } }'

  test('is answered by services that check the assertion, and know no key of the issuer', async () => {
    await using upstream = await startGraph()
    const serviceEnv = { TESSERA_SUBGRAPH_SCOPES: 'true', TESSERA_SUBGRAPH_CALLER: 'assertion' }
    await using services = await startServices(upstream.sandbox.url, serviceEnv, ['messages'])
    await using graph = await startGraph({ env: { ...env, ...services.env } })
    const headers = { authorization: `Bearer ${await token('tweet.read users.read')}` }
    const { data, errors } = await graph.ask(query, {}, { scope: null, headers })
    expect([errors, typeof data.message.text]).toEqual([[], 'string'])
    const direct = await fetch(services.urls.messages, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...headers,
        'router-authorization': `Bearer ${serviceSecret}`,
      },
      body: JSON.stringify({ query }),
    })
    expect(direct.status).toBe(401)
  })

  test('sends no token of the caller to a subgraph', async () => {
    const arrived: IncomingHttpHeaders[] = []
    const server = createServer((request, response) => {
      arrived.push(request.headers)
      request.resume()
      response.setHeader('content-type', 'application/json').end('{"data":{"message":null}}')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
    await using graph = await startGraph({
      env: { ...env, TESSERA_SUBGRAPH_SECRET: serviceSecret, TESSERA_MESSAGES_SUBGRAPH_URL: url },
    })
    const own = await token('tweet.read users.read')
    await graph.ask(query, {}, { scope: null, headers: { authorization: `Bearer ${own}` } })
    const [{ authorization = '' } = {}] = arrived
    expect(JSON.stringify(arrived)).not.toContain(own)
    expect(decodeJwt(authorization.slice(7))).toMatchObject({ sub: 'ada', aud: 'messages', iss: 'tessera' })
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
})
