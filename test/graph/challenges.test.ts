/**
 * Challenges tell a refused client what to request from its authorization server: RFC 6750, RFC 9470, RFC 9728.
 */
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { type GraphAnswer, startGraph } from '../support/graph.ts'
import { keepForFile } from '../support/keep.ts'

const secret = 'what the issuer and this server share'
const issuer = 'https://id.example.com'

const graph = keepForFile(
  await startGraph({
    env: {
      TESSERA_JWT_SECRET: secret,
      TESSERA_JWT_ISSUER: issuer,
      TESSERA_STEP_UP: JSON.stringify({
        'Mutation.deleteVideo': { maxAge: 300 },
        'Metrics.buildInfo': { acrValues: ['urn:tessera:strong', 'urn:tessera:stronger'] },
      }),
    },
  }),
)

const seconds = (): number => Math.floor(Date.now() / 1000)

function token(
  scope: string,
  claims: Record<string, unknown> = {},
  end: string | number = '1h',
): Promise<string> {
  return new SignJWT({ scope, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject('ada')
    .setExpirationTime(end)
    .sign(new TextEncoder().encode(secret))
}

async function ask(query: string, bearer?: string): Promise<GraphAnswer> {
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  return graph.ask(query, {}, { scope: null, headers })
}

/** The parameters of the Bearer challenge. */
function challengeOf({ headers }: GraphAnswer): Record<string, string> | undefined {
  const header = headers.get('www-authenticate')
  if (header === null) return undefined
  expect(header).toMatch(/^Bearer /)
  return Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
}

const metadata = (): string => `${new URL(graph.url).origin}/.well-known/oauth-protected-resource/graphql`

const guarded = '{ message(messageId: "20") { text } }'

describe('a caller without a token', () => {
  test('from whom everything is refused is asked to sign in, and for which scopes', async () => {
    const answer = await ask(guarded)
    expect(answer.status).toBe(401)
    expect(challengeOf(answer)).toEqual({ resource_metadata: metadata(), scope: 'tweet.read users.read' })
    expect(answer.errors[0]?.extensions).toMatchObject({
      code: 'UNAUTHORIZED_FIELD_OR_TYPE',
      authorization: { authenticated: false, challenge: { scope: 'tweet.read users.read' } },
    })
  })

  test('who gets a part of the answer gets it with 200, and the same in the error', async () => {
    const answer = await ask(`{ __typename ${guarded.slice(1)}`)
    expect([answer.status, challengeOf(answer)]).toEqual([200, undefined])
    expect(answer.errors[0]?.extensions.authorization).toMatchObject({
      challenge: { scope: 'tweet.read users.read' },
    })
  })
})

describe('a caller whose token', () => {
  test('is wrong is refused with 401', async () => {
    const answer = await ask('{ __typename }', 'a.b.c')
    expect(answer.status).toBe(401)
    expect(challengeOf(answer)).toMatchObject({ resource_metadata: metadata(), error: 'invalid_token' })
    expect(challengeOf(answer)?.error_description).toMatch(/not a signed JWT/)
  })

  test('has expired is told the scopes that it had, unless they are very long', async () => {
    const past = seconds() - 60
    const answer = await ask('{ __typename }', await token('users.read tweet.read', {}, past))
    expect([answer.status, challengeOf(answer)]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_token', scope: 'users.read tweet.read' }),
    ])
    const long = 'x'.repeat(3000)
    expect(challengeOf(await ask('{ __typename }', await token(long, {}, past)))).not.toHaveProperty('scope')
  })

  test('is of another scheme gets the one that is taken', async () => {
    const headers = { authorization: 'Basic dTpw' }
    const answer = await graph.ask('{ __typename }', {}, { scope: null, headers })
    expect([answer.status, challengeOf(answer)]).toEqual([401, { resource_metadata: metadata() }])
  })

  test('lacks scopes gets the least that is missing, with 403', async () => {
    const answer = await ask(guarded, await token('users.read media.read'))
    expect(answer.status).toBe(403)
    expect(challengeOf(answer)).toEqual({
      resource_metadata: metadata(),
      error: 'insufficient_scope',
      scope: 'tweet.read',
    })
  })

  test('lacks scopes of several fields gets one set for all', async () => {
    const query = `mutation {
      insertVideo(input: { snippet: { title: "t" }, contentType: "video/mp4", contentLength: "5" }) { upload { __typename } }
      deleteVideo(input: { videoId: "none" }) { deletedVideoId }
    }`
    const answer = await ask(query, await token('users.read', { auth_time: seconds() }))
    // Either media.upload or media.write opens the first: the second needs media.write anyhow.
    expect([answer.status, challengeOf(answer)?.scope]).toEqual([403, 'media.write'])
  })
})

describe('a field that wants a fresh sign-in', () => {
  const remove = 'mutation { deleteVideo(input: { videoId: "none" }) { deletedVideoId } }'

  test('is refused to an old one, with the age that is wanted', async () => {
    for (const claims of [{}, { auth_time: seconds() - 301 }, { auth_time: 'now' }]) {
      const answer = await ask(remove, await token('media.write', claims))
      expect(answer.status).toBe(401)
      expect(challengeOf(answer)).toEqual({
        resource_metadata: metadata(),
        error: 'insufficient_user_authentication',
        max_age: '300',
      })
      expect(answer.errors[0]?.message).toContain('a sign-in of the last 5 minutes')
    }
  })

  test('names the scope as well if that is missing', async () => {
    const answer = await ask(remove, await token('media.read', { auth_time: seconds() - 301 }))
    expect(challengeOf(answer)).toMatchObject({
      error: 'insufficient_user_authentication',
      max_age: '300',
      scope: 'media.write',
    })
    const fresh = await ask(remove, await token('media.read', { auth_time: seconds() }))
    expect([fresh.status, challengeOf(fresh)?.error]).toEqual([403, 'insufficient_scope'])
  })

  test('is open to a fresh one', async () => {
    const answer = await ask(remove, await token('media.write', { auth_time: seconds() - 5 }))
    expect(answer.errors.map(({ extensions }) => extensions.code)).not.toContain('UNAUTHORIZED_FIELD_OR_TYPE')
  })

  test('goes by the way of signing in if that is wanted', async () => {
    const query = '{ metrics { buildInfo { version } } }'
    const weak = await ask(query, await token('metrics.read', { acr: 'urn:tessera:weak' }))
    const told = {
      error: 'insufficient_user_authentication',
      acr_values: 'urn:tessera:strong urn:tessera:stronger',
    }
    expect(weak.errors[0]?.extensions.authorization).toMatchObject({ challenge: told })
    const strong = await ask(query, await token('metrics.read', { acr: 'urn:tessera:stronger' }))
    expect([strong.errors, typeof strong.data.metrics.buildInfo.version]).toEqual([[], 'string'])
  })

  test('says so in its description', () => {
    const field = graph.gateway.engine.schema.getMutationType()?.getFields().deleteVideo
    expect(field?.description).toContain('a sign-in of the last 5 minutes')
  })
})

test('the document about the resource has its issuer, scopes and what they open', async () => {
  const { origin } = new URL(graph.url)
  for (const path of ['', '/graphql']) {
    const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      resource: `${origin}${path}`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scope_descriptions: { 'media.read': 'Opens Query.ratedVideos.' },
      scopes_supported: expect.arrayContaining(['metrics.read']),
    })
  }
})

test('a Host header that is not ours gives no address to anybody', async () => {
  const { request } = await import('undici')
  const { origin } = new URL(graph.url)
  const { body } = await request(`${origin}/.well-known/oauth-protected-resource/graphql`, {
    headers: { host: 'evil.example' },
  })
  expect(await body.json()).toMatchObject({ resource: `${origin}/graphql` })
})
