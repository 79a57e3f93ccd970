/**
 * The explorer: a page at `/` to read the graph and try it, served from here. Clients that do not ask for HTML get a
 * few lines of text with the paths that are served.
 *
 * The content security policy of the page admits no other host but the authorization server that it signs in at, if it
 * does. Only `/?editor=sandbox`, to which the link "Open in Apollo Sandbox" leads, may load that from Apollo's hosts.
 * Tokens are minted only if a way to mint them is handed in, and only for this page itself.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { ScopeOffer } from '../gateway/auth/scope-offers.ts'
import { isJsonContent, namesHtml } from '../gateway/graphql-http/negotiation.ts'
import { type Route, type RouteAnswer, refusal } from '../gateway/server/routes.ts'
import { securityHeaders } from '../gateway/server/security-headers.ts'
import { tesseraError } from '../shared/errors.ts'
import { parsedJson } from '../shared/json/parsed.ts'
import { type Bundle, openBundle } from './bundle.ts'
import type { Example } from './examples/example.ts'
import type { TypeOwners } from './type-owners.ts'

/**
 * `auto`: our own editor, with a link that opens Apollo Sandbox. `built-in`: without that link. `sandbox`: Apollo
 * Sandbox at once. `off`: no page at all.
 */
export type ExplorerMode = 'auto' | 'sandbox' | 'built-in' | 'off'

/** Makes a token that holds these scopes, and says for how many seconds it is good. */
export type MintToken = (scope: string) => Promise<{ readonly token: string; readonly expiresIn: number }>

/** Where the page signs its user in, as a client without a secret. */
export interface ExplorerSignIn {
  readonly issuer: string
  readonly clientId: string
  /** Whom the tokens are for (RFC 8707), if that is an address. */
  readonly resource: string | undefined
}

export interface ExplorerOptions {
  readonly mode: ExplorerMode
  /** The scopes that the graph knows. */
  readonly scopes: () => readonly ScopeOffer[]
  /** What the page offers to open; asked for each time the page is served. */
  readonly examples: () => readonly Example[]
  /** Which services own the types; undefined if clients may not read the schema. */
  readonly owners?: (() => TypeOwners | undefined) | undefined
  /** Only if every service is the sandbox. */
  readonly mint?: MintToken | undefined
  /** Without it, and without `mint`, tokens are pasted. */
  readonly signIn?: ExplorerSignIn | undefined
  /** Whether a `Host` header names this server: tokens are minted only then. */
  readonly isOwnHost: (host: string | undefined) => boolean
  /** Finds the built page; where the build puts it by default. */
  readonly bundle?: () => Bundle | undefined
}

const sandboxScripts = 'https://embeddable-sandbox.cdn.apollographql.com'
const sandboxFrames = 'https://sandbox.embed.apollographql.com'
const year = 31_536_000

/** Whether the page at this address shows Apollo Sandbox. */
function isWithApollo(mode: ExplorerMode, target: string | undefined): boolean {
  if (mode !== 'auto') return mode === 'sandbox'
  return URL.parse(target ?? '/', 'http://page')?.searchParams.get('editor') === 'sandbox'
}

/** Styles may be inline: the editor makes its own as it runs. */
function pagePolicy({ signIn }: ExplorerOptions, withApollo: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self'${withApollo ? ` ${sandboxScripts}` : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self'${signIn === undefined ? '' : ` ${new URL(signIn.issuer).origin}`}`,
    "worker-src 'self'",
    `frame-src ${withApollo ? sandboxFrames : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For the page's files: workers have a policy of their own, and need nothing but their own code. */
const filePolicy = "default-src 'none'; script-src 'self'"

const pointers = (more: string): string => `Tessera: a GraphQL gateway.

graph     /graphql
health    /health/live, /health/ready
metrics   /metrics
${more}`

const unbuilt = `
The explorer page is not built. To build it, run this where Tessera is installed, then start again:

  npm run prepare
`

export function explorerRoutes(options: ExplorerOptions): readonly Route[] {
  const { mode, mint, bundle: find = openBundle } = options
  const bundle = mode === 'off' ? undefined : find()
  const canMint = mint !== undefined && mode !== 'off'
  return [
    pageRoute(options, bundle),
    ...(canMint ? [tokenRoute(options, mint)] : []),
    ...(bundle === undefined ? [] : [fileRoute(bundle), ownersRoute(options)]),
  ]
}

/** Asked for by the page when it shows the map of types. */
function ownersRoute({ owners }: ExplorerOptions): Route {
  return {
    method: 'GET',
    path: '/explorer/owners',
    answer() {
      const json = owners?.()
      if (json === undefined) return refusal(404, tesseraError('NOT_FOUND', 'The schema is not shown.'))
      return { headers: securityHeaders, json }
    },
  }
}

function pageRoute(options: ExplorerOptions, bundle: Bundle | undefined): Route {
  const { mode, mint, signIn, scopes, examples } = options
  return {
    method: 'GET',
    path: '/',
    answer({ raw }) {
      const headers = { ...securityHeaders, vary: 'accept' }
      if (bundle === undefined || !namesHtml(raw.headers.accept)) {
        const more = mode === 'off' ? '' : bundle === undefined ? unbuilt : 'explorer  / in a browser\n'
        return { headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, text: pointers(more) }
      }
      return {
        headers: {
          ...headers,
          'content-security-policy': pagePolicy(options, isWithApollo(mode, raw.url)),
          'x-frame-options': 'DENY',
          'content-type': 'text/html; charset=utf-8',
        },
        text: bundle.html({
          ...{ mode, signIn, minting: mint !== undefined },
          ...{ scopes: scopes(), examples: examples() },
        }),
      }
    },
  }
}

function fileRoute(bundle: Bundle): Route {
  return {
    method: 'GET',
    path: '/explorer/assets/*',
    async answer({ raw, last: name }) {
      const file = await bundle.file(name, raw.headers['accept-encoding'])
      if (file === undefined) return refusal(404, tesseraError('NOT_FOUND', 'The page has no such file.'))
      return {
        headers: {
          ...securityHeaders,
          ...(file.encoding === undefined ? {} : { 'content-encoding': file.encoding }),
          'content-security-policy': filePolicy,
          // The name changes with the content.
          'cache-control': `public, max-age=${year}, immutable`,
          vary: 'accept-encoding',
          'content-type': file.type,
        },
        bytes: file.bytes,
      }
    },
  }
}

const wish = z.strictObject({ scope: z.string().max(4000) })

function tokenRoute({ scopes, isOwnHost }: ExplorerOptions, mint: MintToken): Route {
  const badRequest = (message: string, status = 400): RouteAnswer =>
    refusal(status, tesseraError('BAD_REQUEST', message))
  return {
    method: 'POST',
    path: '/explorer/token',
    async answer({ raw: { headers }, body }) {
      if (!isOwnHost(headers.host) || isForeign(headers)) {
        return refusal(403, tesseraError('FORBIDDEN', 'Only the explorer page itself can have a token made.'))
      }
      if (!isJsonContent(headers['content-type']))
        return badRequest('The content type must be application/json.', 415)
      const { data } = wish.safeParse(parsedJson(body))
      const known = new Set(scopes().map(({ name }) => name))
      const wanted = data?.scope.split(' ').filter((name) => name !== '')
      if (wanted === undefined || !wanted.every((name) => known.has(name)))
        return badRequest('Expected {"scope": "…"} with scopes of this graph.')
      return { headers: securityHeaders, json: await mint(wanted.join(' ')) }
    },
  }
}

/**
 * Whether a page of another origin sent it. CORS may let every page call the graph; a token is made for our
 * own page alone. Clients that are no browsers send neither header.
 */
function isForeign(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return true
  const { origin } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== headers.host
}
