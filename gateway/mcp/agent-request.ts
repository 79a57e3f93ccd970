/** One request of an agent: its caller, the graph that it reaches, and how it runs operations. */
import type { GraphQLError, GraphQLSchema } from 'graphql'
import type { GatewayRequest } from '../../engine/request.ts'
import type { ErrorBehavior } from '../../shared/graphql/error-behavior.ts'
import { headerOf } from '../../shared/http/headers.ts'
import type { Identity } from '../../shared/identity.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import type { Challenge } from '../auth/challenge.ts'
import { proofMaterialOf } from '../auth/client-certificate.ts'
import type { Operation } from '../auth/granted-operation.ts'
import type { HttpRequest } from '../graphql-http/http-operation.ts'
import {
  jsonForm,
  OperationContext,
  type OperationRequest,
  type OperationResponse,
} from '../pipeline/index.ts'
import type { Manifest } from '../pipeline/persisted/index.ts'
import type { StartOperation } from '../subscriptions/start-operation.ts'
import { type Client, clientNames } from '../telemetry/clients.ts'

/** One generation of the graph, as the MCP server uses it. */
export interface McpGraph {
  readonly schema: GraphQLSchema
  /** Whether it is our own graph, for which the product has operations. */
  readonly isOwn: boolean
  /** Prepares an operation without counting it as asked for; the errors if it is none. */
  prepare(text: string, operationName: string | undefined): Promise<Operation | readonly GraphQLError[]>
  /** The units that an operation costs at most. */
  units(operation: Operation, variables: Readonly<Record<string, unknown>>): number
  readonly showsSchema: boolean
  /** The trusted operations, if only those are executed. */
  readonly manifest: Manifest | undefined
  /** The one way of an operation through the gateway. */
  run(context: OperationContext<JsonText>): Promise<OperationResponse<JsonText>>
  readonly startOperation: StartOperation
  /** Keeps its connections open until the returned function is called: an agent's request may run several operations. */
  hold(): () => void
}

/**
 * Whether the product's operations are executed. They are written for our own graph and are not trusted operations.
 */
export const runsOwnOperations = ({ isOwn, manifest }: McpGraph): boolean => isOwn && manifest === undefined

/** The resources that one stream listens to. */
export interface ResourceListener {
  /** The resources that can change, of those that were asked for. */
  readonly uris: readonly string[]
  /** Called once, when the stream is open. */
  begin(tell: (uri: string) => void, end: () => void): void
  close(): void
}

export interface AgentRequest {
  readonly http: HttpRequest
  readonly graph: McpGraph
  readonly identity: Identity
  /** A short text that stands for the caller; empty for all without a token. */
  readonly caller: string
  client: Client | undefined
  watch(running: GatewayRequest): void
  /** Whether the client can ask its user. */
  elicits: boolean
  /** Whether the client takes a task instead of a result. */
  takesTasks: boolean
  /** The user's reply to an earlier question, and the state that was sent with that question. */
  answered: { readonly state: string | undefined; readonly isAccepted: boolean } | undefined
  /** The span that is under way, as headers. */
  trace: Readonly<Record<string, string>> | undefined
  /** The resources that it listens to, if it does. */
  heard: ResourceListener | undefined
  /** Ends its stream of notifications. */
  readonly ending: AbortController
  /** It is kept, because a `Request` of Node follows its signal only until it is collected (nodejs/node#55428). */
  readonly request: Request
  /** Set if a tool was refused because its caller lacks scopes. The HTTP status and the header then say so. */
  challenge: RefusedCall | undefined
}

export interface RefusedCall {
  readonly challenge: Challenge
  readonly message: string
}

export interface AgentOperation extends Pick<OperationRequest<JsonText>, 'refusesParts' | 'unlessRepeated'> {
  readonly query: string
  readonly operationName?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** The effect of failed fields, instead of that of the configuration. */
  readonly onError?: ErrorBehavior | undefined
  /** Headers instead of the caller's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether a mutation is refused. */
  readonly queriesOnly?: boolean | undefined
}

/** Headers of GraphQL requests that change the form of an answer. The MCP server sets them itself. */
const ownHeaders = ['tessera-explain', 'tessera-quota', 'tessera-cost', 'tessera-cache', 'idempotency-key']

export function bareHeaders(given: HttpRequest['headers']): HttpRequest['headers'] {
  const headers = { ...given }
  for (const name of ownHeaders) delete headers[name]
  return headers
}

/** Runs one operation through the pipeline of the graph, as a request of `/graphql` goes through it. */
export function runOperation(
  agentRequest: AgentRequest,
  asked: AgentOperation,
): Promise<OperationResponse<JsonText>> {
  const { http, graph, identity, client } = agentRequest
  const headers: Record<string, unknown> = bareHeaders(http.headers)
  if (client !== undefined && !clientNames.some((name) => headers[name] !== undefined)) {
    headers['graphql-client-name'] = client.name
    if (client.version !== undefined) headers['graphql-client-version'] = client.version
  }
  Object.assign(headers, agentRequest.trace, asked.headers)
  const { query, operationName, variables, extensions, onError } = asked
  const context = new OperationContext<JsonText>({
    id: http.id,
    ...proofMaterialOf({ ...http, header: (name) => headerOf(headers as HttpRequest['headers'], name) }),
    headers,
    identity: () => identity,
    params: () => ({ query, operationName, variables, extensions, onError }),
    queriesOnly: asked.queriesOnly ?? false,
    refusesParts: asked.refusesParts,
    unlessRepeated: asked.unlessRepeated,
    mediaType: 'application/graphql-response+json',
    form: jsonForm,
  })
  agentRequest.watch(context)
  return graph.run(context)
}

export interface Usage {
  readonly calls: number
  readonly units: number
}

export function usageOf({ calls }: Pick<OperationResponse<unknown>, 'calls'>): Usage {
  return { calls: calls.length, units: calls.reduce((sum, { units }) => sum + units, 0) }
}
