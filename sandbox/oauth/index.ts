/**
 * A small authorization server for development: code flow with PKCE, step-up, introspection, revocation, DPoP,
 * token exchange, dynamic registration. oidc-provider implements OAuth, and this adds people without passwords. It
 * gives tokens to everybody, so it responds only under its own host names (`server/host-names.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { createOwnHostCheck } from '../server/host-names.ts'
import { BodyTooLarge, createServer, listen, readBody } from '../server/http.ts'
import { registerExchange } from './exchange.ts'
import { people, type SettingsOptions, settingsOf, signInPage, signInWays } from './settings.ts'

export { applicationId, gatewayClient } from './settings.ts'

interface OauthServerOptions extends Partial<SettingsOptions> {
  readonly resource: string
  readonly scopes: readonly string[]
  /** The default is a free port. */
  readonly port?: number | undefined
  readonly host?: string | undefined
}

export interface OauthServer extends AsyncDisposable {
  /** The issuer. */
  readonly url: string
  close(): Promise<void>
}

/** oidc-provider is not installed with Tessera. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError'

  constructor(cause: unknown) {
    super(
      'the authorization server of the sandbox needs the package oidc-provider, which is not installed along with Tessera: npm install --save-dev oidc-provider',
      { cause },
    )
  }
}

async function loadProvider(): Promise<typeof import('oidc-provider')> {
  try {
    return await import('oidc-provider')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new MissingPackageError(error)
    throw error
  }
}

async function makeKeys(): Promise<{ own: JWK[]; shown: JWK[] }> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const about = { use: 'sig', alg: 'RS256', kid: 'sandbox' }
  return {
    own: [{ ...(await exportJWK(privateKey)), ...about }],
    shown: [{ ...(await exportJWK(publicKey)), ...about }],
  }
}

export async function startOauthServer(options: OauthServerOptions): Promise<OauthServer> {
  const { default: Provider, errors, interactionPolicy } = await loadProvider()
  const host = options.host ?? '127.0.0.1'
  const isAllowedHost = createOwnHostCheck(host)
  let respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  const server = createServer((request, response) => {
    if (!isAllowedHost(request.headers.host)) {
      request.resume()
      response.writeHead(421, { 'content-type': 'text/plain' })
      response.end('the Host header is not a name of this server\n')
      return
    }
    respond(request, response).catch((error: unknown) => {
      if (!response.headersSent)
        response.writeHead(error instanceof BodyTooLarge ? 413 : 400, { 'content-type': 'text/plain' })
      response.end(`the sandbox could not do this: ${error instanceof Error ? error.message : 'unknown'}\n`)
    })
  })
  const { url, close } = await listen(server, host, options.port ?? 0)

  const { own, shown } = await makeKeys()
  const policy = interactionPolicy.base()
  const wantedWays = (params: Record<string, unknown>): string[] =>
    typeof params.acr_values === 'string' ? params.acr_values.split(' ') : []
  // Every request is granted (`settings.ts`), also if a client wants its user to be asked (`prompt=consent`).
  policy.get('consent')?.checks.clear()
  policy.get('login')?.checks.add(
    new interactionPolicy.Check('acr', 'another way of signing in is wanted', ({ oidc }) => {
      const wanted = wantedWays(oidc.params ?? {})
      const { acr } = (oidc.session ?? {}) as { acr?: string }
      return wanted.length > 0 && !wanted.includes(acr ?? '')
    }),
  )
  const provider = new Provider(
    url,
    settingsOf({ format: 'jwt', tokenSeconds: 600, redirectUris: [], ...options }, own, policy),
  )
  registerExchange(provider, { keys: shown }, errors.InvalidGrant)
  const callback = provider.callback()

  respond = async (request, response) => {
    const [, uid] = /^\/interaction\/([\w-]{1,100})$/.exec(request.url ?? '') ?? []
    if (uid === undefined) {
      await callback(request, response)
      return
    }
    const { params } = await provider.interactionDetails(request, response)
    const way = wantedWays(params).find((one) => signInWays.some((known) => known === one)) ?? signInWays[0]
    if (request.method === 'POST') {
      const person = new URLSearchParams(await readBody(request)).get('person')
      if (!people.some((name) => name === person)) throw new Error('there is no such person here')
      const login = { accountId: person ?? '', acr: way, remember: true }
      await provider.interactionFinished(request, response, { login })
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    })
    response.end(signInPage(uid, String(params.client_id), way))
  }

  return { url, close, [Symbol.asyncDispose]: close }
}
