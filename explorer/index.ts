/**
 * The explorer: a page at `/` for reading the graph and trying it. Clients that do not ask for HTML get a few lines
 * of text with the served paths.
 *
 * The page's content security policy allows no other host than the authorization server, if there is one. Only
 * `/?editor=sandbox`, which the link "Open in Apollo Sandbox" opens, may load scripts from Apollo's hosts. Tokens
 * are minted only if `mint` is given, and only for this page itself.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { ScopeOffer } from '../gateway/auth/scope-offers.ts'
import { isJsonContent, namesHtml } from '../gateway/graphql-http/negotiation.ts'
import { type Route, type RouteResponse, refusal, securityHeaders } from '../gateway/server/routes.ts'
import { tesseraError } from '../shared/errors.ts'
import { parsedJson } from '../shared/json/parse-json.ts'
import { type Bundle, openBundle } from './bundle.ts'
import type { Example } from './examples/example.ts'
import type { ExplorerMode, ExplorerSignIn, PageSettings } from './settings.ts'
import type { TypeOwners } from './type-owners.ts'

/** Makes a token with these scopes, and says for how many seconds it is valid. */
export type MintToken = (scope: string) => Promise<{ readonly token: string; readonly expiresIn: number }>

export interface ExplorerOptions {
  readonly mode: ExplorerMode
  readonly scopes: () => readonly ScopeOffer[]
  /** The examples that the page offers. Called whenever the page is served. */
  readonly examples: () => readonly Example[]
  /** Which services own the types; undefined if clients may not read the schema. */
  readonly owners?: (() => TypeOwners | undefined) | undefined
  /** Present only if every service is the sandbox. */
  readonly mint?: MintToken | undefined
  /** If neither `signIn` nor `mint` is given, users paste tokens. */
  readonly signIn?: ExplorerSignIn | undefined
  /** Whether a `Host` header names this server. Tokens are minted only then. */
  readonly isOwnHost: (host: string | undefined) => boolean
  /** Finds the built page. The default is the place to which the build writes. */
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

/** Inline styles are allowed, because the editor makes its own styles while it runs. */
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

/** The policy of the page's files: workers have their own policy, and need only their own code. */
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

/** The page requests it when it shows the map of types. */
function ownersRoute({ owners }: ExplorerOptions): Route {
  return {
    method: 'GET',
    path: '/explorer/owners',
    answer() {
      const json = owners?.()
      if (json === undefined) return refusal(tesseraError('NOT_FOUND', 'The schema is not shown.'))
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
      const minting = mint !== undefined
      const settings: PageSettings = { mode, signIn, minting, scopes: scopes(), examples: examples() }
      return {
        headers: {
          ...headers,
          'content-security-policy': pagePolicy(options, isWithApollo(mode, raw.url)),
          'x-frame-options': 'DENY',
          'content-type': 'text/html; charset=utf-8',
        },
        text: bundle.html(settings),
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
      if (file === undefined) return refusal(tesseraError('NOT_FOUND', 'The page has no such file.'))
      return {
        headers: {
          ...securityHeaders,
          ...(file.encoding === undefined ? {} : { 'content-encoding': file.encoding }),
          'content-security-policy': filePolicy,
          // The name changes with the content, so the file never does.
          'cache-control': `public, max-age=${year}, immutable`,
          vary: 'accept-encoding',
          'content-type': file.type,
        },
        bytes: file.bytes,
      }
    },
  }
}

const tokenRequest = z.strictObject({ scope: z.string().max(4000) })

function tokenRoute({ scopes, isOwnHost }: ExplorerOptions, mint: MintToken): Route {
  const badRequest = (message: string, status?: number): RouteResponse =>
    refusal(tesseraError('BAD_REQUEST', message, { status }))
  return {
    method: 'POST',
    path: '/explorer/token',
    async answer({ raw: { headers }, body }) {
      if (!isOwnHost(headers.host) || isForeign(headers)) {
        return refusal(tesseraError('FORBIDDEN', 'Only the explorer page itself can get a token.'))
      }
      if (!isJsonContent(headers['content-type']))
        return badRequest('The content type must be application/json.', 415)
      const { data } = tokenRequest.safeParse(parsedJson(body))
      const known = new Set(scopes().map(({ name }) => name))
      const wanted = data?.scope.split(' ').filter((name) => name !== '')
      if (wanted === undefined || !wanted.every((name) => known.has(name)))
        return badRequest('Expected {"scope": "…"} with scopes of this graph.')
      return { headers: securityHeaders, json: await mint(wanted.join(' ')) }
    },
  }
}

/**
 * Whether a page of another origin sent the request. CORS may let every page call the graph, but tokens are made
 * only for our own page. Clients other than browsers send neither header.
 */
function isForeign(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return true
  const { origin } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== headers.host
}
