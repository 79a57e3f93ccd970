/**
 * A graph of two subgraphs that answer when a test lets them: `notes`, which gets the caller's token and credential,
 * and `prices`, which gets the credential alone. Each says in its answers who asked, so that no caller reads unseen what
 * is another's.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { execute, parse } from 'graphql'
import { createTestSubgraph, type Service } from './federation.ts'
import { type GraphAnswer, type OtherGraph, type RunningGraph, startGraph } from './graph.ts'
import { operationIn, serveSubgraph } from './http-subgraph.ts'
import { supergraphOf, until } from './router.ts'

export interface GatedService extends AsyncDisposable {
  readonly name: string
  readonly sdl: string
  readonly url: string
  /** Fetches that arrived. */
  readonly arrived: { readonly query: string; readonly headers: IncomingHttpHeaders }[]
  /** Fetches that the gateway gave up. */
  readonly givenUp: () => number
  /** Fetches that wait for the gate. */
  readonly waiting: () => number
  /** From now on answers leave at once, or wait. */
  isOpen: boolean
  /** Lets the answer of the fetch leave that arrived at this place among those that wait. */
  release(place?: number): void
}

/** What is asked is worked out when it arrives, and told when the gate lets it. */
export async function startGated(name: string, service: Service): Promise<GatedService> {
  const { schema } = createTestSubgraph(name, service)
  const held: (() => void)[] = []
  const arrived: GatedService['arrived'] = []
  let givenUp = 0
  let isOpen = true
  const served = await serveSubgraph(async (asked, response) => {
    const { headers } = asked
    const { query, variables } = operationIn(asked)
    arrived.push({ query, headers })
    response.once('close', () => {
      if (!response.writableEnded) givenUp += 1
    })
    const result = await execute({
      ...{ schema, document: parse(query), variableValues: variables },
      contextValue: { headers },
    })
    if (!isOpen) await new Promise<void>((resolve) => held.push(resolve))
    return result
  })
  return {
    name,
    sdl: service.sdl,
    url: served.url,
    arrived,
    givenUp: () => givenUp,
    waiting: () => held.length,
    get isOpen() {
      return isOpen
    },
    set isOpen(open) {
      isOpen = open
      if (open) for (const leave of held.splice(0)) leave()
    },
    release(place = 0) {
      held.splice(place, 1)[0]?.()
    },
    async [Symbol.asyncDispose]() {
      for (const leave of held.splice(0)) leave()
      await served[Symbol.asyncDispose]()
    },
  }
}

interface Context {
  readonly headers: IncomingHttpHeaders
}

const shown = (value: string | string[] | undefined): string =>
  value === undefined ? 'nothing' : String(value)

export interface Asking {
  readonly token?: string | undefined
  /** For the service of both subgraphs. */
  readonly credential?: string | undefined
  readonly variables?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

export interface GatedGraph extends Omit<RunningGraph<OtherGraph>, 'ask'> {
  readonly notes: GatedService
  readonly prices: GatedService
  ask(query: string, asking?: Asking): Promise<GraphAnswer>
  /** Requests that joined an operation under way, and fetches of a subgraph that joined. */
  joined(subgraph?: string): Promise<number>
  /** Waits until that many have joined. */
  untilJoined(count: number, subgraph?: string): Promise<void>
}

export async function startGatedGraph(env: Readonly<Record<string, string>> = {}): Promise<GatedGraph> {
  const texts = new Map<string, number>()
  const notes = await startGated('notes', {
    sdl: `type Query { note(id: ID!): Note  notesCaller: String  broken: String }
      type Mutation { write(id: ID!): Note  writeAndPrice(id: ID!): Note }
      type Note @key(fields: "id") { id: ID!  version: Int  secret: String @requiresScopes(scopes: [["secret"]]) }`,
    resolvers: {
      Query: {
        note: (_: unknown, { id }: { id: string }) => ({ id }),
        notesCaller: (_: unknown, __: unknown, { headers }: Context) =>
          `${shown(headers.authorization)} ${shown(headers['x-notes-authorization'])}`,
        broken() {
          throw new Error('this note is broken')
        },
      },
      Mutation: {
        write(_: unknown, { id }: { id: string }) {
          texts.set(id, (texts.get(id) ?? 0) + 1)
          return { id }
        },
        writeAndPrice(_: unknown, { id }: { id: string }) {
          return { id }
        },
      },
      Note: {
        __resolveReference: ({ id }: { id: string }) => ({ id }),
        version: ({ id }: { id: string }) => texts.get(id) ?? 0,
        secret: ({ id }: { id: string }, _: unknown, { headers }: Context) =>
          `secret ${id} of ${shown(headers.authorization)} ${shown(headers['x-notes-authorization'])}`,
      },
    },
  })
  const prices = await startGated('prices', {
    sdl: `type Query { pricesCaller: String }
      type Note @key(fields: "id") { id: ID!  price: String }`,
    resolvers: {
      Query: {
        pricesCaller: (_: unknown, __: unknown, { headers }: Context) =>
          shown(headers['x-prices-authorization']),
      },
      Note: {
        __resolveReference: ({ id }: { id: string }) => ({ id }),
        price: ({ id }: { id: string }, _: unknown, { headers }: Context) =>
          `price ${id} for ${shown(headers['x-prices-authorization'])}`,
      },
    },
  })
  const graph = await startGraph({
    graph: { supergraph: supergraphOf([notes, prices]) },
    env: {
      TESSERA_SUBGRAPH_SECRET: 'a secret between gateway and subgraphs',
      TESSERA_SUBGRAPH_TOKENS: 'notes',
      TESSERA_SUBGRAPH_ERRORS: '*',
      ...env,
    },
  })
  const joined = (subgraph?: string): Promise<number> =>
    graph.metric(
      subgraph === undefined
        ? 'tessera_operations_joined_total'
        : `tessera_fetches_joined_total{subgraph="${subgraph}"}`,
    )
  return {
    ...graph,
    notes,
    prices,
    joined,
    untilJoined: (count, subgraph) => until(async () => (await joined(subgraph)) >= count, `${count} joined`),
    ask: (query, { token, credential, variables, headers, signal } = {}) =>
      graph.ask(query, variables, {
        scope: null,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(credential === undefined
            ? {}
            : { 'x-notes-authorization': credential, 'x-prices-authorization': credential }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      }),
    async [Symbol.asyncDispose]() {
      notes.isOpen = true
      prices.isOpen = true
      await graph[Symbol.asyncDispose]()
      await notes[Symbol.asyncDispose]()
      await prices[Symbol.asyncDispose]()
    },
  }
}
