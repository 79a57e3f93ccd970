/**
 * Answers one HTTP request of `/mcp`: checks the request and its token, passes the message to the protocol, and turns
 * refusals into a status.
 */
import { hash } from 'node:crypto'
import { headerOf } from '../../shared/http/headers.ts'
import { anonymous, type Identity } from '../../shared/identity.ts'
import { isObject } from '../../shared/json/is-object.ts'
import type { Authenticator } from '../auth/authenticate/index.ts'
import { challengeOf, withScopesOf } from '../auth/challenge.ts'
import { networkOf } from '../auth/client-address.ts'
import { proofMaterialOf } from '../auth/client-certificate.ts'
import type { GraphqlOverHttpOptions, HttpResponse } from '../graphql-http/graphql-over-http.ts'
import type { HttpRequest } from '../graphql-http/http-operation.ts'
import { callerKeyOf } from '../pipeline/caller-key.ts'
import { maskError } from '../pipeline/mask.ts'
import { statusOf } from '../pipeline/result-status.ts'
import { type Client, plain } from '../telemetry/clients.ts'
import { callerTrace, type Logger } from '../telemetry/log.ts'
import type { AgentRequest, McpGraph, RefusedCall, ResourceListener } from './agent-request.ts'
import { ProtocolFault, rpcCodes, rpcFailure } from './protocol/errors.ts'
import { createHttpCheck, type HttpCheckOptions, httpResponseOf } from './protocol/http.ts'
import type { Protocol } from './protocol/sdk.ts'
import { declaresTasks, endOfListening, tasksNotDeclared } from './protocol/server.ts'

export interface EndpointOptions extends HttpCheckOptions, IdentifierOptions {
  readonly version: string
  /** The graph that serves now. */
  readonly graph: () => McpGraph
  /** Opened when the first message comes. */
  readonly protocol: () => Promise<Protocol>
  /**
   * Listens for resources on behalf of a caller; undefined if the caller is refused, which the request says. Throws a
   * `ProtocolFault` if that is not possible.
   */
  readonly listen: (
    uris: readonly string[],
    agentRequest: AgentRequest,
  ) => Promise<ResourceListener | undefined>
}

export function createEndpoint(options: EndpointOptions) {
  const checkHttp = createHttpCheck(options)

  /** The message with only those resources that can change. */
  async function listening(message: Message, agentRequest: AgentRequest): Promise<Message> {
    const params = isObject(message.params) ? message.params : {}
    const { notifications, _meta } = params
    if (isObject(notifications) && notifications.taskIds !== undefined && !declaresTasks(_meta))
      throw tasksNotDeclared()
    const filter = filterIn(notifications)
    if (filter === undefined) return message
    const { resourceSubscriptions: uris, ...others } = filter
    agentRequest.heard = await options.listen(uris, agentRequest)
    const honored = { ...others, resourceSubscriptions: agentRequest.heard?.uris ?? [] }
    return { ...message, params: { ...params, notifications: honored } }
  }

  return async (http: HttpRequest, watch: AgentRequest['watch']): Promise<HttpResponse> => {
    const passed = checkHttp(http)
    if ('status' in passed) return passed
    const message = withoutNullArguments(passed.body as Message)
    const identity = await identify(options, http, message.id)
    if ('status' in identity) return identity
    const ending = new AbortController()
    const graph = options.graph()
    const agentRequest: AgentRequest = {
      http,
      graph,
      identity,
      caller: callerOfHttp(http, identity),
      client: clientIn(message),
      watch,
      elicits: false,
      takesTasks: false,
      answered: undefined,
      challenge: undefined,
      trace: undefined,
      heard: undefined,
      ending,
      request: requestFor(http, ending.signal),
    }
    const listens = message.method === 'subscriptions/listen'
    const release = graph.hold()
    try {
      const protocol = await options.protocol()
      if (listens && protocol.hasAllStreams(agentRequest.caller))
        throw new ProtocolFault(rpcCodes.refused, 'The caller already has the maximum of streams.')
      const asked = listens ? await listening(message, agentRequest) : message
      const answer = await protocol.answer(asked, agentRequest)
      const end = listens ? endOfListening(message.id, options.version, ending.signal) : undefined
      const response = await httpResponseOf(answer, http.headers.accept, end)
      const { challenge: refused, heard } = agentRequest
      // A response that is no stream has nothing to listen for.
      if (response.stream === undefined) heard?.close()
      return refused === undefined ? response : challenged(options, http, refused, message.id, identity)
    } catch (error) {
      agentRequest.heard?.close()
      if (!(error instanceof ProtocolFault)) throw error
      const status = error.code === rpcCodes.missingCapability ? 400 : 200
      return rpcFailure(status, error.code, error.message, { id: message.id, data: error.data })
    } finally {
      release()
    }
  }
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** Some clients send `null` if a tool gets no arguments. The library refuses that. */
function withoutNullArguments(message: Message): Message {
  const { params } = message
  return isObject(params) && params.arguments === null
    ? { ...message, params: { ...params, arguments: {} } }
    : message
}

/** The notifications that it requests, if resources are among them. */
function filterIn(filter: unknown): { readonly resourceSubscriptions: readonly string[] } | undefined {
  const uris = isObject(filter) ? filter.resourceSubscriptions : undefined
  if (!isObject(filter) || !Array.isArray(uris) || uris.length === 0) return undefined
  // The protocol refuses everything else.
  return uris.every((uri) => typeof uri === 'string') ? { ...filter, resourceSubscriptions: uris } : undefined
}

/** Only the headers of the protocol, so that it receives no token. */
const protocolHeaders = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']

function requestFor({ url, headers }: HttpRequest, signal: AbortSignal): Request {
  // The library refuses clients that do not accept both. Here they get the type that they accept.
  const passed = new Headers({ accept: 'application/json, text/event-stream' })
  for (const name of protocolHeaders) {
    const value = headerOf(headers, name)
    if (value !== undefined) passed.set(name, value)
  }
  return new Request(new URL(url, 'http://mcp.invalid'), {
    method: 'POST',
    headers: passed,
    signal,
  })
}

/** Callers without a token are distinguished by their addresses. */
function callerOfHttp({ headers, address }: HttpRequest, identity: Identity): string {
  const known = callerKeyOf({ identity, header: (name) => headerOf(headers, name) })
  return known === '' ? hash('sha256', `address ${networkOf(address)}`, 'base64') : known
}

/** The program as it names itself, if that is plain text. */
function clientIn({ params }: Message): Client | undefined {
  if (!isObject(params)) return undefined
  const meta = isObject(params._meta) ? params._meta['io.modelcontextprotocol/clientInfo'] : undefined
  const info = meta ?? params.clientInfo
  if (!isObject(info)) return undefined
  const name = plain(info.name)
  return name === undefined ? undefined : { name, version: plain(info.version) }
}

interface IdentifierOptions {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'nonce'>
  readonly challengeHead: GraphqlOverHttpOptions['challengeHead']
  readonly log: Logger
}

/** The response to a caller who lacks a token or a scope: 403 for a token that lacks scopes, else 401. */
function challenged(
  { authenticator: { nonce }, challengeHead }: IdentifierOptions,
  http: HttpRequest,
  { challenge, message }: RefusedCall,
  id: unknown,
  identity: Identity = anonymous,
): HttpResponse {
  return rpcFailure(challenge.error === 'insufficient_scope' ? 403 : 401, rpcCodes.refused, message, {
    id,
    data: { error: challenge.error ?? 'unauthenticated', scope: challenge.scope },
    head: [
      ...challengeHead(withScopesOf(identity, challenge), http.headers.host),
      ...(nonce === undefined ? [] : ['dpop-nonce', nonce()]),
    ],
  })
}

/**
 * The sender of a message, by the same check as for `/graphql`, or the response that refuses it. `id` is that of the
 * message.
 */
async function identify(
  options: IdentifierOptions,
  http: HttpRequest,
  id: unknown,
): Promise<Identity | HttpResponse> {
  const { headers } = http
  const header = (name: string): string | undefined => headerOf(headers, name)
  try {
    const shown = proofMaterialOf({ ...http, header })
    const identity = await options.authenticator.authenticate(header('authorization'), shown)
    // This also refuses messages that need no token, so that a client with an old token requests a new one.
    if (identity.tokenFault !== undefined) throw identity.tokenFault
    return identity
  } catch (error) {
    const masked = maskError(error, http.id, options.log, callerTrace(headers).trace_id)
    const { message } = masked
    const found = challengeOf([masked], undefined)
    if (found !== undefined) return challenged(options, http, { challenge: found.challenge, message }, id)
    const status = statusOf({ errors: [masked] }, 'application/graphql-response+json')
    return rpcFailure(status, rpcCodes.refused, message, { id })
  }
}
