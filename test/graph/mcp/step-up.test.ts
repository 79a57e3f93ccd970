/**
 * The official client with the sandbox's authorization server: it registers itself, signs its user in when a tool wants a
 * token, and asks for more scopes when one wants more.
 */
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { startOauthServer } from '../../../sandbox/oauth/index.ts'
import { doorOf } from '../../support/agent.ts'
import { allScopes, startGraph } from '../../support/graph.ts'
import { createBrowser } from '../../support/sign-in.ts'

const callback = 'http://127.0.0.1:9/callback'

/** What a client keeps of its user, and the address that a browser is sent to. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = callback
  readonly clientMetadata = {
    client_name: 'test-agent',
    redirect_uris: [callback],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  readonly opened: URL[] = []
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client
  }
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.opened.push(url)
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier(): string {
    return this.#verifier
  }
}

test.each(['2026-07-28', '2025-11-25'])(
  'a client of %s steps up to the scopes of each tool',
  async (revision) => {
    const resource = 'https://graph.example.com/graphql'
    await using issuer = await startOauthServer({ resource, scopes: allScopes.split(' ') })
    await using graph = await startGraph({
      env: {
        TESSERA_MCP: 'true',
        TESSERA_JWT_JWKS_URL: `${issuer.url}/jwks`,
        TESSERA_JWT_ISSUER: issuer.url,
        TESSERA_JWT_AUDIENCE: resource,
        TESSERA_JWT_TYPE: 'at+jwt',
      },
    })
    const provider = new Provider()
    const client = new Client(
      { name: 'test-agent', version: '1' },
      revision === '2026-07-28'
        ? { versionNegotiation: { mode: { pin: revision } } }
        : { supportedProtocolVersions: [revision] },
    )
    const transport = new StreamableHTTPClientTransport(doorOf(graph), { authProvider: provider })
    await client.connect(transport)
    const browser = createBrowser()
    /** Calls a tool; if the user is wanted, signs in and calls again. Answers how often that was. */
    async function call(
      name: string,
      args: Record<string, unknown>,
    ): Promise<[text: string, signIns: number]> {
      const before = provider.opened.length
      for (;;)
        try {
          const { content } = await client.callTool({ name, arguments: args })
          return [(content as { text: string }[])[0]?.text ?? '', provider.opened.length - before]
        } catch (error) {
          const address = provider.opened.at(-1)
          if (!(error instanceof UnauthorizedError) || address === undefined) throw error
          if (provider.opened.length - before > 1) throw error
          await transport.finishAuth((await browser.signIn(address.href, 'ada')).searchParams)
        }
    }
    expect((await call('chartVideos', { first: 1 }))[1]).toBe(0)
    const read = await call('messagesById', { messageIds: ['20'] })
    expect(read).toEqual([expect.stringContaining('just setting up my tiles'), 1])
    expect(provider.tokens()?.scope).toBe('tweet.read users.read')
    const liked = await call('messageLikes', { messageId: '20' })
    expect(liked).toEqual([expect.stringContaining('likingUsers'), 1])
    // What it had before it has still.
    expect(provider.tokens()?.scope?.split(' ').sort()).toEqual(['like.read', 'tweet.read', 'users.read'])
    expect((await call('messagesById', { messageIds: ['20'] }))[1]).toBe(0)
    await client.close()
  },
)
