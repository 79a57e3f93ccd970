/**
 * What a remote subgraph gets with the operation of a request: the gateway's signature, the credential for its own
 * service and no other's, and the caller's token only if the configuration says so. Subgraphs that do not share
 * our secret get neither.
 */
import type { GatewayRequest } from '../../engine/request.ts'
import {
  type ErrorRules,
  type HttpTransportOptions,
  inFrames,
  type MakeHeaders,
  pickHeaders,
  type RemoteEventsSettings,
  type RequestLine,
  type Transport,
} from '../../engine/subgraphs/index.ts'
import { createSigner, forwardedHeaders, signatureHeader } from '../../shared/http/signature.ts'
import { readTlsFiles } from '../../shared/http/tls-files.ts'
import { earlierAttemptHeader, earlierAttemptText } from '../../shared/request.ts'
import { assertedClaims, createAssertionSigner, type SigningKey } from '../auth/assertion.ts'
import type { Config } from '../config/index.ts'
import type { Forwarding } from '../headers/index.ts'
import type { Traces } from '../telemetry/traces/index.ts'

interface RemoteSubgraph {
  readonly name: string
  readonly url: string
  /** Shared with the subgraph. */
  readonly secret: string | undefined
  /** Whether it gets the caller's own token. */
  readonly token: boolean
  /** Signs an assertion by the gateway of who asks, instead of the token itself; undefined passes the token on. */
  readonly assertion: SigningKey | undefined
  readonly traces: Traces | undefined
  /** Headers by rule; undefined if no rule sends anything. */
  readonly forwarding: Forwarding | undefined
}

/** Whether a remote subgraph gets the caller's token; `own` says that it is one of our subgraph services. */
export function getsToken({ subgraph }: Config, name: string, own: boolean): boolean {
  const listed = subgraph.tokens
  return (own && subgraph.scopes) || listed.includes(name) || listed.includes('*')
}

/**
 * What clients see of the errors of a remote subgraph; `own` says that it is one of our services. The rules of the
 * file win over TESSERA_SUBGRAPH_ERRORS, and those for one subgraph over those for all.
 */
export function errorRulesOf(config: Config, name: string, own: boolean): ErrorRules {
  const listed = config.subgraph.errors
  const passed = own || listed.includes(name) || listed.includes('*')
  const { messages, extensions } = errorsOf(config, name)
  return { messages: messages ?? passed, extensions: extensions ?? passed }
}

/** Whether a remote subgraph learns how clients want failed fields to be answered. */
export function takesOnError(config: Config, name: string, own: boolean): boolean {
  return errorsOf(config, name).takesOnError ?? own
}

function errorsOf({ errors }: Config, name: string) {
  const { all, subgraphs = {} } = errors
  return { ...all, ...(Object.hasOwn(subgraphs, name) ? subgraphs[name] : undefined) }
}

/** What the headers of the caller depend on. */
interface Receiver extends Pick<RemoteSubgraph, 'name' | 'secret' | 'token' | 'assertion' | 'forwarding'> {
  /** Whether hooks say who asks. An assertion then depends on more than the caller's token. */
  readonly isHookIdentity: boolean
}

const isAsserted = ({ token, assertion }: Pick<Receiver, 'token' | 'assertion'>): boolean =>
  token && assertion !== undefined

/**
 * The headers of the caller that the subgraph gets and on which its answers can depend; undefined if rules or hooks
 * make them depend on more than headers by name.
 */
export function callerHeadersOf(subgraph: Receiver): readonly string[] | undefined {
  const { name, forwarding, isHookIdentity } = subgraph
  if (isAsserted(subgraph) && isHookIdentity) return undefined
  const ruled = forwarding === undefined ? [] : forwarding.callerHeaders
  const asserted = isAsserted(subgraph) ? [forwardedHeaders(name)[0]] : []
  return ruled && [...new Set([...ownHeaders(subgraph), ...asserted, ...ruled])]
}

/**
 * The same as values, by the names that they are sent with. It has what rules take from patterns and claims, and what an
 * assertion says.
 */
export function callerPartOf(subgraph: Receiver): Transport['callerPart'] {
  const { name, token, forwarding } = subgraph
  const asserted = isAsserted(subgraph) ? forwardedHeaders(name)[0] : undefined
  const own = ownHeaders({ ...subgraph, token: token && asserted === undefined })
  if (own.length === 0 && asserted === undefined && forwarding === undefined) return undefined
  return (request) => {
    const part = forwarding?.headersFor(request) ?? {}
    const claims = asserted === undefined ? undefined : assertedClaims(request.identity)
    if (asserted !== undefined && claims !== undefined) part[asserted] = JSON.stringify(claims)
    return pickHeaders(request, own, part)
  }
}

/** Those that a subgraph gets which shares our secret. */
function ownHeaders({ name, secret, token }: Pick<Receiver, 'name' | 'secret' | 'token'>): readonly string[] {
  const [tokenHeader, credentialHeader] = forwardedHeaders(name)
  if (secret === undefined) return []
  return token ? [tokenHeader, credentialHeader] : [credentialHeader]
}

const traceHeaders = ['traceparent', 'tracestate']

export function remoteHeaders(subgraph: RemoteSubgraph): MakeHeaders {
  const { name, secret, token, assertion, traces, forwarding } = subgraph
  const target = URL.parse(subgraph.url)
  const path = `${target?.pathname}${target?.search}`
  const sign = secret === undefined ? undefined : createSigner(secret)
  const assert = token && assertion !== undefined ? createAssertionSigner(assertion, name) : undefined
  const forwarded = ownHeaders({ ...subgraph, token: token && assert === undefined })
  const withIdentity = (
    request: GatewayRequest,
    body: string,
    line: RequestLine | typeof inFrames | undefined,
    authorization?: string,
  ) => {
    const headers: Record<string, string> = { 'x-request-id': request.id }
    if (forwarding !== undefined) Object.assign(headers, forwarding.headersFor(request))
    if (authorization !== undefined) headers.authorization = authorization
    pickHeaders(request, forwarded, headers)
    if (sign !== undefined) {
      if (request.earlierAttempt !== undefined)
        headers[earlierAttemptHeader] = earlierAttemptText(request.earlierAttempt)
      if (line !== inFrames) {
        const { method, path: at } = line ?? { method: 'POST', path }
        const signed = { method, path: at, audience: name, body, header: (each: string) => headers[each] }
        headers[signatureHeader] = sign(signed)
      }
      pickHeaders(request, traceHeaders, headers)
    }
    return Object.assign(headers, traces?.headers())
  }
  if (assert === undefined) return (request, body, line) => withIdentity(request, body, line)
  return (request, body, line) => {
    const asserted = assert(request.identity, body)
    return asserted === undefined
      ? withIdentity(request, body, line)
      : asserted.then((authorization) => withIdentity(request, body, line, authorization))
  }
}

type Traffic = NonNullable<NonNullable<Config['traffic']['subgraphs']>[string]>

export function trafficOf({ traffic }: Config, name: string): Traffic {
  const { all, subgraphs = {} } = traffic
  const own = Object.hasOwn(subgraphs, name) ? subgraphs[name] : undefined
  return { ...all, ...own, subscriptions: { ...all?.subscriptions, ...own?.subscriptions } }
}

/** Our own services send a comment whenever nothing else was sent for so long; so many of them may be missing. */
const missingHeartbeats = 4

/** How a subgraph is subscribed to; `own` says that it is one of our services. */
export function eventsOf(config: Config, name: string, own: boolean): RemoteEventsSettings {
  const given = trafficOf(config, name).subscriptions ?? {}
  if (!own) return given
  const heartbeatMs = config.subscriptions.heartbeatMs
  return { protocol: 'sse', idleMs: Math.max(60_000, missingHeartbeats * heartbeatMs), ...given }
}

/** The same for a transport. Throws if a file of TLS cannot be used. */
export function transportTrafficOf(traffic: Traffic): Partial<HttpTransportOptions> {
  const { url: _url, timeoutMs: _ms, subscriptions: _events, ...own } = traffic
  const { retries, breaker, concurrency, tls, ...others } = own
  const guarded = retries !== undefined || breaker !== undefined || concurrency !== undefined
  return {
    ...others,
    ...(guarded ? { guard: { retries, breaker, concurrency } } : {}),
    ...(tls === undefined ? {} : { tls: tlsFrom(tls) }),
  }
}

/** Faults are found here, because connections would fail after a reload that succeeded. */
const tlsFrom = ({
  ca,
  certificate,
  key,
}: NonNullable<Traffic['tls']>): NonNullable<HttpTransportOptions['tls']> =>
  readTlsFiles(
    { ca, certificate, key },
    {
      unusable: (what, file, how, reason) =>
        `traffic: the file of tls.${what} cannot be ${how}: ${file}: ${reason}`,
      mismatch: (reason) => `traffic: ${certificate} and ${key} of tls do not match: ${reason}`,
    },
  )
