/**
 * A gateway as a platform team runs it: `tessera serve` in front of subgraphs that are real HTTP servers here,
 * with a configuration file and a supergraph file that tests may change. Subgraphs record what they are asked.
 */
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { execute, parse } from 'graphql'
import { stringify } from 'yaml'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { createTestSubgraph, type Service } from './federation.ts'
import {
  type Asked,
  type HttpSubgraph,
  type MakeServer,
  operationIn,
  serveSubgraph,
} from './http-subgraph.ts'
import { startInProcess } from './in-process-command.ts'
import { keep } from './keep.ts'
import { postJson } from './post-json.ts'
import { type RunningCommand, startTessera } from './process.ts'
import { temporaryFiles } from './temporary.ts'
import { until } from './wait.ts'

export interface TestService extends HttpSubgraph {
  readonly name: string
  readonly sdl: string
  readonly asked: Asked[]
  /** Answers a request instead of the schema, unless it returns false. */
  intercept: ((asked: Asked, response: ServerResponse) => unknown) | undefined
  /** Headers of every answer. */
  answerHeaders: Record<string, string | string[]>
}

/** A service, and what serves it if that is no usual server. */
export interface ServedService extends Service {
  readonly make?: MakeServer
  readonly scheme?: 'http' | 'https'
}

export async function startService(name: string, service: ServedService): Promise<TestService> {
  const { schema } = createTestSubgraph(name, service)
  const asked: Asked[] = []
  const served = await serveSubgraph(async (one, response) => {
    asked.push(one)
    if (self.intercept !== undefined && (await self.intercept(one, response)) !== false) return undefined
    const { query, variables } = operationIn(one)
    const result = await execute({
      schema,
      document: parse(query),
      variableValues: variables,
      contextValue: { headers: one.headers },
    })
    for (const [key, value] of Object.entries(self.answerHeaders)) response.setHeader(key, value)
    return result
  }, service)
  const self: TestService = {
    ...served,
    ...{ name, sdl: service.sdl, asked, intercept: undefined, answerHeaders: {} },
  }
  return self
}

/** The supergraph of these services, each at its address unless another one is given. */
export function supergraphOf(
  services: readonly { readonly name: string; readonly sdl: string; readonly url: string }[],
): string {
  const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
    "@key", "@requires", "@provides", "@external", "@shareable", "@override", "@inaccessible", "@tag",
    "@authenticated", "@requiresScopes", "@policy", "@cost", "@listSize"
  ])\n`
  const composition = compose(
    services.map(({ name, sdl, url }) => ({ name, url, typeDefs: parse(link + sdl) })),
  )
  if (composition.errors !== undefined)
    throw new Error(composition.errors.map(({ message }) => message).join('\n'))
  return composition.supergraph
}

export interface Router extends AsyncDisposable {
  readonly command: RunningCommand
  readonly origin: string
  readonly folder: string
  /** Writes a file into the router's folder. */
  write(name: string, text: string): string
  configure(config: Readonly<Record<string, unknown>>): void
  /** A text is a query; anything else is sent as it is. */
  ask(operation: string | object, headers?: Readonly<Record<string, string>>): Promise<RouterAnswer>
  ready(): Promise<RouterState>
  /** Tells it to reload, and waits until it has: with another generation, or a refusal. */
  reload(config?: Readonly<Record<string, unknown>>): Promise<RouterState['generation']>
  metrics(): Promise<string>
}

export interface RouterState {
  readonly generation: {
    readonly number: number
    readonly refused?: { readonly at: string; readonly reasons: readonly string[] }
    readonly sources: Readonly<Record<string, { readonly from: string }>>
  }
  readonly services: unknown
}

export interface RouterAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  readonly body: any
}

export interface RouterOptions {
  readonly supergraph: string
  /** The configuration file. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  /** More files of its folder, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** In a process of its own, for what is about processes. */
  readonly apart?: boolean
  /** Arguments instead of `--supergraph FILE`. */
  readonly args?: readonly string[]
}

export async function startRouter(options: RouterOptions): Promise<Router> {
  const { folder, file: write } = temporaryFiles()
  const configure = (config: Readonly<Record<string, unknown>>): void => {
    write('tessera.yaml', stringify(config))
  }
  const supergraph = write('supergraph.graphql', options.supergraph)
  for (const [name, text] of Object.entries(options.files ?? {})) write(name, text)
  configure(options.config ?? {})
  const start = options.apart ? startTessera : startInProcess
  const command = start(['serve', '--port', '0', ...(options.args ?? ['--supergraph', supergraph])], {
    TESSERA_CONFIG: join(folder, 'tessera.yaml'),
    // Files are read again when a test says so.
    TESSERA_WATCH_MS: '0',
    ...options.env,
  })
  let origin = ''
  try {
    origin = new URL(await command.said('graph')).origin
  } catch (error) {
    await command[Symbol.asyncDispose]()
    throw error
  }
  const ready = async () => (await (await fetch(`${origin}/health/ready`)).json()) as RouterState
  return {
    command,
    origin,
    folder,
    write,
    configure,
    async ask(operation, headers = {}) {
      const body = typeof operation === 'string' ? { query: operation } : operation
      const answer = await postJson(`${origin}/graphql`, body, headers)
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
    ready,
    async reload(config) {
      if (config !== undefined) configure(config)
      const { generation: before } = await ready()
      command.hangUp()
      let after = before
      await until(async () => {
        after = (await ready()).generation
        return after.number !== before.number || after.refused?.at !== before.refused?.at
      }, 'the reload')
      return after
    },
    metrics: async () => (await fetch(`${origin}/metrics`)).text(),
    [Symbol.asyncDispose]: () => command[Symbol.asyncDispose](),
  }
}

/** A router in front of services that are started for it, by their names. All of them end with the test. */
export async function startInFront<Name extends string>(
  services: Readonly<Record<Name, ServedService>>,
  options: Omit<RouterOptions, 'supergraph'> = {},
): Promise<{ readonly router: Router } & Readonly<Record<Name, TestService>>> {
  const started = {} as Record<Name, TestService>
  for (const [name, service] of Object.entries<ServedService>(services))
    started[name as Name] = keep(await startService(name, service))
  const supergraph = supergraphOf(Object.values(started))
  return { router: keep(await startRouter({ supergraph, ...options })), ...started }
}

export type { Asked } from './http-subgraph.ts'
export { until }

/** Two subgraphs with an entity that both know. */
export const shop = {
  products: {
    sdl: 'type Query { products: [Product!]! product(id: ID!): Product } type Mutation { rename(id: ID!, name: String!): Product } type Product @key(fields: "id") { id: ID! name: String }',
    resolvers: {
      Query: {
        products: () => [
          { id: '1', name: 'Table' },
          { id: '2', name: 'Chair' },
        ],
        product: (_: unknown, { id }: { id: string }) => ({ id, name: 'Table' }),
      },
      Mutation: { rename: (_: unknown, { id, name }: { id: string; name: string }) => ({ id, name }) },
      Product: { __resolveReference: ({ id }: { id: string }) => ({ id, name: `Product ${id}` }) },
    },
  },
  reviews: {
    sdl: 'type Query { reviewCount: Int } type Product @key(fields: "id") { id: ID! stars: Int }',
    resolvers: {
      Query: { reviewCount: () => 7 },
      Product: { __resolveReference: ({ id }: { id: string }) => ({ id }), stars: () => 4 },
    },
  },
} satisfies Record<string, Service>

export const onlyProducts = { products: shop.products }

/** The products of the shop, each found by its id with a name that is made for the request. */
export const productsNamed = (
  nameOf: (id: string, headers: Readonly<Record<string, string | undefined>>) => string,
): { readonly products: Service } => {
  const { sdl, resolvers } = shop.products
  const product = (_: unknown, { id }: { id: string }, context: { headers: Record<string, string> }) => ({
    id,
    name: nameOf(id, context.headers),
  })
  return { products: { sdl, resolvers: { ...resolvers, Query: { ...resolvers.Query, product } } } }
}

/** With which the port of the administrator is opened, whose cache is purged. */
export const adminToken = 'a-token-of-the-platform-team'
export const withAdmin = { TESSERA_ADMIN_PORT: '0', TESSERA_ADMIN_TOKEN: adminToken }

/** Sends what is to be purged; a text is sent as it is. */
export const purge = async (
  { command }: Router,
  what: unknown,
  authorization = `Bearer ${adminToken}`,
): Promise<Response> =>
  fetch(`${await command.said('admin')}/cache/purge`, {
    method: 'POST',
    headers: { authorization },
    body: typeof what === 'string' ? what : JSON.stringify(what),
  })

export const withCache = { TESSERA_RESPONSE_CACHE_BYTES: '10000000' }

/** The same with fields that need policies or scopes, and one that moves by a label. */
export const guardedShop = {
  products: {
    sdl: `
      type Query { products(first: Int): [Product!]! }
      type Mutation { rename(id: ID!): Product }
      type Product @key(fields: "id") {
        id: ID!
        name: String
        price: Int @policy(policies: [["staff"], ["owner", "there"]])
        stock: Int @requiresScopes(scopes: [["products:read"]])
        stars: Int
      }`,
    resolvers: {
      Query: {
        products: (_: unknown, { first }: { first?: number }) =>
          Array.from({ length: first ?? 1 }, (_, at) => ({
            id: String(at),
            name: `n${at}`,
            price: 7,
            stock: 2,
            stars: 1,
          })),
      },
      Mutation: { rename: (_: unknown, { id }: { id: string }) => ({ id, name: 'new' }) },
      Product: { __resolveReference: ({ id }: { id: string }) => ({ id, price: 7, stock: 2, stars: 1 }) },
    },
  },
  reviews: {
    sdl: `
      type Query { reviewCount: Int }
      type Product @key(fields: "id") { id: ID! stars: Int @override(from: "products", label: "new-reviews") }`,
    resolvers: {
      Query: { reviewCount: () => 5 },
      Product: { __resolveReference: ({ id }: { id: string }) => ({ id }), stars: () => 9 },
    },
  },
} satisfies Record<string, Service>
