/** `tessera serve --oauth`: one command for the graph and an authorization server whose tokens it takes. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { graphAddress } from '../../../gateway/cli/oauth-server.ts'
import { configFrom } from '../../support/graph.ts'
import { runInProcess } from '../../support/in-process-command.ts'
import { postJson } from '../../support/post-json.ts'
import { startTessera } from '../../support/process.ts'
import { createBrowser } from '../../support/sign-in.ts'

const guarded = JSON.stringify({ query: '{ message(messageId: "20") { text } }' })
const ask = (graph: string, token?: string): Promise<Response> =>
  postJson(graph, guarded, token === undefined ? {} : { authorization: `Bearer ${token}` })

/** Code flow with PKCE, by plain requests; for the graph under the address that its metadata tells. */
async function tokenFor(graph: string, scope: string): Promise<string> {
  const about = new URL('/.well-known/oauth-protected-resource/graphql', graph)
  const { authorization_servers: servers, resource } = (await (await fetch(about)).json()) as {
    authorization_servers: string[]
    resource: string
  }
  const discovery = await fetch(`${servers[0]}/.well-known/openid-configuration`)
  const places = (await discovery.json()) as Record<string, string>
  const verifier = 'a-verifier-of-at-least-forty-three-characters-in-length'
  const redirect = 'http://127.0.0.1/callback'
  const common = { client_id: 'tessera-app', redirect_uri: redirect, resource }
  const address = new URL(places.authorization_endpoint ?? '')
  address.search = new URLSearchParams({
    ...common,
    scope: `openid ${scope}`,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const code = (await createBrowser().signIn(address.href, 'ada')).searchParams.get('code') ?? ''
  const given = await fetch(places.token_endpoint ?? '', {
    method: 'POST',
    body: new URLSearchParams({ ...common, grant_type: 'authorization_code', code, code_verifier: verifier }),
  })
  return ((await given.json()) as { access_token: string }).access_token
}

for (const more of [[], ['--oauth-opaque']])
  test(`serve --oauth ${more.join(' ')}`, async () => {
    await using tessera = startTessera(['serve', '--port', '0', '--oauth', ...more])
    const graph = await tessera.said('graph')
    const page = await tessera.said('explorer')
    const issuer = await tessera.said('oauth')
    expect((await ask(graph)).status).toBe(401)
    expect((await fetch(new URL('/llms.txt', graph))).status).toBe(200)
    // By whichever of its names on this machine: the tokens are good under both.
    for (const name of ['127.0.0.1', 'localhost']) {
      const url = graph.replace('127.0.0.1', name)
      const token = await tokenFor(url, 'tweet.read users.read')
      expect(token.startsWith('eyJ')).toBe(more.length === 0)
      const answer = await ask(url, token)
      expect(await answer.json()).toMatchObject({ data: { message: { text: expect.any(String) } } })
    }
    const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text()
    const [, settings = '{}'] = /id="settings">(.*?)<\/script>/.exec(html) ?? []
    expect(JSON.parse(settings)).toMatchObject({
      minting: false,
      signIn: { issuer, clientId: 'tessera-app', resource: graph },
    })
    tessera.child.kill('SIGTERM')
    expect(await tessera.ended).toBe(0)
    await expect(fetch(issuer)).rejects.toThrow()
  })

test.each([
  ['a service', { TESSERA_VIDEOS_URL: 'https://videos.example.com' }, []],
  ['an issuer', { TESSERA_JWT_SECRET: 'a secret of the issuer, long enough' }, []],
  ['several processes', { TESSERA_WORKERS: '2' }, []],
  ['another supergraph', {}, ['--supergraph', 'supergraph.graphql']],
])('serve --oauth is refused beside %s', async (_, env, more) => {
  const { code, err } = await runInProcess(['serve', '--port', '0', '--oauth', ...more], env)
  expect([code, err]).toEqual([2, expect.stringContaining('--oauth')])
})

test.each([
  [{}, 'http://127.0.0.1:4000/graphql'],
  [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:4000/graphql'],
  [{ HOST: '::' }, 'http://127.0.0.1:4000/graphql'],
  [{ HOST: '::1' }, 'http://[::1]:4000/graphql'],
  [{ HOST: '0.0.0.0', TESSERA_PUBLIC_URL: 'https://graph.example.com' }, 'https://graph.example.com/graphql'],
])('with %j tokens are for %s', (env, address) => {
  expect(graphAddress(configFrom(env).server, 4000)).toBe(address)
})
