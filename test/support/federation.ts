/**
 * Little federated graphs in one line: SDLs and resolvers become a supergraph, its subgraphs as real HTTP servers
 * or in this process, and the engine over them. Every fetch is recorded. Beside it stands the oracle: the same
 * graph as one schema, executed by graphql-js, which knows nothing of federation.
 */
import { isDeepStrictEqual } from 'node:util'
import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  buildSchema,
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getOperationAST,
  isAbstractType,
  isObjectType,
  isScalarType,
  Kind,
  parse,
  printSchema,
  validate,
} from 'graphql'
import { createEngine, type Engine, type OperationResult, responseBody } from '../../engine/index.ts'
import type { NormalisedOperation } from '../../engine/operation/normalised.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { createGatewayRequest } from '../../engine/request.ts'
import type { RefusedField } from '../../engine/response/index.ts'
import {
  createHttpTransport,
  createInProcessTransport,
  type HttpTransportOptions,
  type Transport,
} from '../../engine/subgraphs/index.ts'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { loadSupergraph, type Supergraph } from '../../engine/supergraph/index.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { awaitListItems } from '../../subgraphs/kit/await-list-items.ts'
import { type HttpSubgraph, operationIn, serveSubgraph } from './http-subgraph.ts'
import { normalisedOf, type RefusedNode, refusedIn } from './normalised.ts'
import { variantsOf } from './operation-variants.ts'
import { textOf } from './sent-json.ts'

// biome-ignore lint/suspicious/noExplicitAny: resolvers of tests are written for their own little data
export type Resolvers = Record<string, any>

export interface Service {
  readonly sdl: string
  readonly resolvers: Resolvers
}

/** How subgraphs are reached. */
export type Way = 'over HTTP' | 'in process'

export const ways: readonly Way[] = ['over HTTP', 'in process']

export interface Fetched {
  readonly service: string
  readonly text: string
  readonly variables: Readonly<Record<string, unknown>>
}

export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  readonly data: any
  readonly errors: readonly GraphQLError[]
}

export interface Federation extends AsyncDisposable {
  readonly supergraph: Supergraph
  readonly engine: Engine
  /** Every fetch that was sent, in order. */
  readonly fetched: Fetched[]
  /** Fetches of each service since the last `reset`. */
  counts(): Record<string, number>
  reset(): void
  run(query: string, variables?: Record<string, unknown>, options?: RunOptions): Promise<Outcome>
  /** What graphql-js makes of the same operation over the whole graph as one schema. */
  expected(query: string, variables?: Record<string, unknown>): Promise<Outcome>
  plan(
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<import('../../engine/planner/index.ts').Plan>
  /** Stops a subgraph's server. */
  stop(service: string): Promise<void>
}

export interface RunOptions {
  /**
   * Once, if it must not be repeated; otherwise several times, and six variants of a query as well, which must
   * answer the same.
   */
  readonly once?: boolean
  readonly request?: GatewayRequest
  readonly refuse?: (document: DocumentNode) => {
    readonly allowed: DocumentNode | NormalisedOperation | null
    readonly refusals?: readonly RefusedField[]
    /** Instead of `refusals`, by the nodes of the document. */
    readonly refusedNodes?: readonly RefusedNode[]
  }
}

export interface FederationOptions {
  readonly way?: Way
  /** The whole graph's resolvers, for the oracle. */
  readonly oracle?: Resolvers
  readonly absentNodes?: boolean
  /** Stands between the engine and a subgraph. */
  readonly wrap?: (transport: Transport) => Transport
  readonly http?: Partial<Omit<HttpTransportOptions, 'name' | 'url'>>
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key", "@requires", "@provides", "@external", "@shareable", "@override", "@inaccessible", "@interfaceObject", "@tag",
  "@authenticated", "@requiresScopes", "@policy", "@cost", "@listSize"
])
`

export function testGatewayRequest(
  options: { timeoutMs?: number; onError?: GatewayRequest['onError'] } = {},
): GatewayRequest {
  return createGatewayRequest({
    id: 'test',
    onError: options.onError,
    deadline: performance.now() + (options.timeoutMs ?? 20_000),
    header: () => undefined,
  })
}

export function createTestSubgraph(name: string, { sdl, resolvers }: Service): Subgraph {
  const typeDefs = parse(link + sdl)
  return {
    name,
    typeDefs,
    schema: awaitListItems(buildSubgraphSchema([{ typeDefs, resolvers }])),
    createContext: () => ({}),
    close: () => Promise.resolve(),
  }
}

/** One schema with these resolvers. */
export function executableSchema(sdl: string, resolvers: Resolvers): GraphQLSchema {
  const schema = buildSchema(sdl)
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName)
    if (isScalarType(type)) Object.assign(type, fields)
    else if (isAbstractType(type)) type.resolveType = fields.__resolveType
    else if (isObjectType(type)) {
      for (const [name, resolve] of Object.entries(fields)) {
        const field = type.getFields()[name]
        if (field !== undefined) field.resolve = resolve as GraphQLFieldResolver<unknown, unknown>
      }
    }
  }
  return schema
}

const serve = (schema: GraphQLSchema): Promise<HttpSubgraph> =>
  serveSubgraph(async (asked) => {
    const { query, variables } = operationIn(asked)
    const document = parse(query)
    const errors = validate(schema, document)
    if (errors.length > 0) return { errors }
    return execute({ schema, document, variableValues: variables, contextValue: {} })
  })

/** Enough turns for what happens outside of requests, such as the report of an unhandled rejection. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export async function startFederation(
  services: Readonly<Record<string, Service>>,
  options: FederationOptions = {},
): Promise<Federation> {
  const { way = 'in process', oracle = {}, absentNodes, wrap = (transport) => transport } = options
  const subgraphs = Object.entries(services).map(([name, service]) => createTestSubgraph(name, service))
  const servers = new Map<string, HttpSubgraph>()
  if (way === 'over HTTP') for (const { name, schema } of subgraphs) servers.set(name, await serve(schema))
  const composition = compose(
    subgraphs.map(({ name, typeDefs }) => ({
      ...{ name, typeDefs },
      url: servers.get(name)?.url ?? 'http://127.0.0.1:1/graphql',
    })),
  )
  if (composition.errors !== undefined) {
    throw new Error(composition.errors.map(({ message }) => message).join('\n'))
  }
  const supergraph = loadSupergraph(composition.supergraph)
  const fetched: Fetched[] = []
  const transports = new Map<string, Transport>()
  for (const subgraph of subgraphs) {
    const { name } = subgraph
    const url = supergraph.subgraphs.find((each) => each.name === name)?.url ?? ''
    const transport = wrap(
      way === 'over HTTP'
        ? createHttpTransport({ name, url, passErrors: true, ...options.http })
        : createInProcessTransport(subgraph),
    )
    transports.set(name, {
      ...transport,
      prepare(operation) {
        const send = transport.prepare(operation)
        return (variables, request) => {
          fetched.push({ service: name, text: operation.text, variables: structuredClone(variables) })
          return send(variables, request)
        }
      },
    })
  }
  const engine = createEngine({ supergraph, transports, absentNodes })
  const monolith = executableSchema(printSchema(supergraph.apiSchema), oracle)

  const read = (query: string): DocumentNode => {
    const document = parse(query)
    const faults = validate(supergraph.apiSchema, document)
    if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'))
    return document
  }

  const refusedOf = (
    how: ReturnType<NonNullable<RunOptions['refuse']>> | undefined,
    document: DocumentNode,
  ) => {
    if (how === undefined) return {}
    const { allowed, refusals, refusedNodes = [] } = how
    return {
      allowed: allowed?.kind === Kind.DOCUMENT ? normalisedOf(supergraph.apiSchema, allowed) : allowed,
      refusals: refusals ?? refusedIn(normalisedOf(supergraph.apiSchema, document), refusedNodes),
    }
  }

  return {
    supergraph,
    engine,
    fetched,
    counts() {
      const counts: Record<string, number> = {}
      for (const { service } of fetched) counts[service] = (counts[service] ?? 0) + 1
      return counts
    },
    reset() {
      fetched.length = 0
    },
    async run(query, variables = {}, { once: single = false, request, refuse } = {}) {
      const document = read(query)
      const compiled = engine.compile({ document, ...refusedOf(refuse?.(document), document) })
      const outcomeOf = ({ data, errors = [] }: OperationResult): Outcome => ({
        data: data === undefined ? undefined : JSON.parse(JSON.stringify(data)),
        errors,
      })
      const first = outcomeOf(await compiled.execute(variables, request ?? testGatewayRequest()))
      if (single) return first
      const sent = fetched.length
      await settled()
      const later = await compiled.execute(variables, request ?? testGatewayRequest())
      for (let turn = 0; turn < 3; turn++) {
        const body = responseBody(await compiled.executeToJson(variables, request ?? testGatewayRequest()))
        const text = textOf(body)
        // Both ways, in every repetition, say the same.
        const { data, errors = [] } = JSON.parse(text) as { data?: unknown; errors?: unknown[] }
        const same = JSON.stringify([data, sorted(errors)]) === JSON.stringify(plainly(later))
        if (!same) throw new Error(`Differs as JSON: ${text}\n${JSON.stringify(later)}`)
      }
      fetched.splice(sent)
      const second = outcomeOf(later)
      const same =
        JSON.stringify(first.data) === JSON.stringify(second.data) &&
        first.errors.length > 0 === second.errors.length > 0
      if (!same) throw new Error(`Differs when repeated: ${JSON.stringify(first)}\n${JSON.stringify(second)}`)
      // If answers are scripted, they know their own keys alone.
      const plain = refuse === undefined && options.wrap === undefined
      if (plain && getOperationAST(document)?.operation === 'query') {
        for (const variant of variantsOf(supergraph.apiSchema, document, variables)) {
          const written = engine.compile({ document: variant.document })
          const answer = outcomeOf(await written.execute(variant.variables, request ?? testGatewayRequest()))
          const equal =
            isDeepStrictEqual(variant.read(answer.data, second.data), second.data) &&
            answer.errors.length > 0 === second.errors.length > 0
          if (!equal)
            throw new Error(`Differs, ${variant.name}: ${JSON.stringify(answer)}\n${JSON.stringify(second)}`)
        }
        fetched.splice(sent)
      }
      return second
    },
    async expected(query, variables = {}) {
      const result = await execute({
        schema: monolith,
        document: read(query),
        variableValues: variables,
        contextValue: {},
      })
      return { data: JSON.parse(JSON.stringify(result.data ?? null)), errors: result.errors ?? [] }
    },
    plan: async (query) => engine.compile({ document: read(query) }).plan(),
    async stop(service) {
      await servers.get(service)?.[Symbol.asyncDispose]()
    },
    async [Symbol.asyncDispose]() {
      for (const transport of transports.values()) await transport.close()
      for (const server of servers.values()) await server[Symbol.asyncDispose]()
    },
  }
}

function sorted(errors: readonly unknown[]): string[] {
  return errors.map((error) => JSON.stringify(error)).sort()
}

function plainly({ data, errors = [] }: OperationResult): unknown {
  return [data, sorted(errors)]
}

/** Path and message of each error; sorted, because fields fail in any order. */
export function errorLines(errors: readonly GraphQLError[]): string[] {
  return errors.map(({ path, message }) => `${path?.join('.') ?? '-'}: ${message}`).sort()
}
