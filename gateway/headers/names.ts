/**
 * The headers that may pass between client and subgraph at all. Names are in lower case here.
 * - Hop-by-hop headers belong to one connection (RFC 9110, section 7.6.1), and so does everything that `Connection`
 *   names.
 * - Credentials go to a subgraph only if a rule for that one subgraph names them. A credential for one service
 *   (`X-Videos-Authorization`) goes only to the subgraph of that name.
 * - Headers that describe the message are written by the gateway, and never copied.
 */

const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'trailers', 'transfer-encoding', 'upgrade', 'http2-settings'],
])

/** In requests to subgraphs, the transport writes these headers, or they are the gateway's signature. */
const ownOfRequests: ReadonlySet<string> = new Set([
  ...['host', 'content-type', 'content-length', 'content-encoding', 'accept', 'accept-encoding', 'expect'],
  ...['tessera-signature', 'traceparent', 'tracestate', 'x-request-id'],
])

/** In responses to clients, the gateway writes these headers. */
const ownOfAnswers: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'content-range', 'date', 'server-timing', 'vary'],
  ...['x-request-id', 'location', 'www-authenticate', 'retry-after', 'alt-svc', 'strict-transport-security'],
  ...['x-content-type-options', 'referrer-policy', 'allow', 'clear-site-data'],
])

const tokenForm = /^[!#$%&'*+.^_`|~0-9a-z-]{1,200}$/

export const isHeaderName = (name: string): boolean => tokenForm.test(name)

export const isHopByHop = (name: string): boolean => hopByHop.has(name) || name.startsWith('proxy-')

export const isCredential = (name: string): boolean =>
  name === 'authorization' ||
  name === 'cookie' ||
  name === 'set-cookie' ||
  name.endsWith('-authorization') ||
  name === 'x-api-key' ||
  name === 'x-auth-token'

const secretWord =
  /(?:^|[-_])(?:api-?key|token|secret|password|passwd|credentials?|jwt|session(?:-?id)?|assertion|signature|dpop)$/

/** Whether its name suggests a credential: such headers are sent only if they are named. */
export const mayBeCredential = (name: string): boolean =>
  isCredential(name) || secretWord.test(name) || name.endsWith('client-cert')

/** The service whose credential it is: `videos` of `x-videos-authorization`; undefined for every other header. */
const serviceOf = (name: string): string | undefined => /^x-(.+)-authorization$/.exec(name)?.[1]

export const isOwnOfRequests = (name: string): boolean => ownOfRequests.has(name)

export const isOwnOfResponses = (name: string): boolean =>
  ownOfAnswers.has(name) || name.startsWith('access-control-') || name.startsWith(':')

/**
 * Why no rule may let a header pass, in words; undefined if one may. `isOwn`: what the gateway writes there itself.
 * `subgraph`: the one that the rule is for; undefined for rules of all, which name no credential.
 */
export function whyKept(
  name: string,
  isOwn: (name: string) => boolean,
  subgraph: string | undefined,
): string | undefined {
  if (isHopByHop(name)) return 'this header belongs to one connection and is never sent on'
  if (isOwn(name)) return 'the gateway writes this header itself'
  if (!isCredential(name)) return undefined
  if (subgraph === undefined)
    return 'a credential is sent only if a rule for one subgraph names it: put the rule under `subgraphs`'
  const service = serviceOf(name)
  return service === undefined || service === subgraph.toLowerCase()
    ? undefined
    : `this is the credential of ${service}: it goes to no other subgraph`
}

/** The headers that a `Connection` header names. */
export function namedByConnection(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

/** Tabs and visible characters of one byte (RFC 9110, section 5.5), in a bounded length. */
const valueForm = /^[\t -~\x80-\xff]{0,16384}$/

export const isHeaderValue = (value: string): boolean => valueForm.test(value)
