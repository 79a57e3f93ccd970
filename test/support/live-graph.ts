/**
 * A graph with subscriptions whose events a test writes: `clock` has them, `names` adds fields to what they bring. Each
 * lookup of `names` is counted.
 */
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createInProcessTransport } from '../../engine/subgraphs/index.ts'
import { compose } from '../../engine/supergraph/compose/index.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { LiveEvent } from '../../shared/polling.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { type GraphOptions, type RunningGraph, startGraph } from './graph.ts'

const clockSdl = /* GraphQL */ `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requiresScopes", "@external", "@authenticated", "@policy"])
  type Query { now: Int }
  type Mutation { set(to: Int): Int }
  type Subscription {
    ticked(of: ID = "a", after: String): Tick
    measured(of: ID = "a"): Tick
    strict: Int!
    guarded: Int @requiresScopes(scopes: [["clock.read"]])
  }
  type Tick @key(fields: "id") {
    id: ID!
    number: Int
    secret: Int @requiresScopes(scopes: [["clock.read"]])
    failing: Int
    calm: Int @policy(policies: [["calm"]])
  }
`

const namesSdl = /* GraphQL */ `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@policy"])
  type Query { version: String }
  type Tick @key(fields: "id") { id: ID! name: String! broken: Int who: String @policy(policies: [["calm"]]) }
`

export interface Tick {
  readonly id: string
  readonly number: number
}

type Sent = LiveEvent | Error | 'done'

/** One subscription of the subgraph. */
class Listener implements AsyncIterableIterator<LiveEvent, undefined, undefined> {
  readonly field: string
  readonly of: string
  readonly #all: Set<Listener>
  readonly #queue: Sent[]
  #wake: (() => void) | undefined

  constructor(field: string, of: string, missed: readonly LiveEvent[], all: Set<Listener>) {
    this.field = field
    this.of = of
    this.#queue = [...missed]
    this.#all = all
    all.add(this)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  push(sent: Sent): void {
    this.#queue.push(sent)
    this.#wake?.()
  }

  async next(): Promise<IteratorResult<LiveEvent, undefined>> {
    while (this.#queue.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    const next = this.#queue.shift()
    if (next !== 'done' && !(next instanceof Error) && next !== undefined) return { done: false, value: next }
    this.#all.delete(this)
    if (next instanceof Error) throw next
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<LiveEvent, undefined>> {
    this.#all.delete(this)
    this.push('done')
    return { done: true, value: undefined }
  }
}

export interface LiveGraph {
  /** A gateway takes another one over with its next reload. */
  supergraph: string
  readonly transports: ReadonlyMap<string, ReturnType<typeof createInProcessTransport>>
  readonly subgraphs: readonly Subgraph[]
  /** Sends an event to those who listen now; ticks are kept, so that who comes back gets what was missed. */
  tick(number: number, of?: string): void
  measure(number: number, of?: string): void
  send(field: string, event: LiveEvent | Error | 'done'): void
  /** Those who listen to a field. */
  listening(field?: string): number
  /** How often the subgraph was subscribed to. */
  subscribed(): number
  /** The ids that were looked up in `names`, one list for each lookup. */
  readonly lookups: readonly (readonly string[])[]
  /** What lookups in `names` wait for from now on. */
  lookUpsWait: Promise<unknown> | undefined
  /** The requests for which the context of a subgraph was made. */
  readonly requests: readonly SubgraphRequest[]
}

export function createLiveGraph(): LiveGraph {
  const listeners = new Set<Listener>()
  const kept: LiveEvent[] = []
  const lookups: string[][] = []
  const requests: SubgraphRequest[] = []
  let subscribed = 0

  const subscribe = (field: string, of: string, missed: readonly LiveEvent[] = []): Listener => {
    subscribed += 1
    return new Listener(field, of, missed, listeners)
  }
  const send = (field: string, event: Sent, of?: string): void => {
    for (const listener of listeners) {
      if (listener.field !== field || (of !== undefined && listener.of !== of)) continue
      listener.push(event)
    }
  }
  const value = (event: LiveEvent): unknown => event.value

  const clock: Subgraph = {
    name: 'clock',
    typeDefs: parse(clockSdl),
    schema: buildSubgraphSchema([
      {
        typeDefs: parse(clockSdl),
        resolvers: {
          Query: { now: () => 0 },
          Mutation: { set: (_: unknown, { to }: { to: number }) => to },
          Subscription: {
            ticked: {
              subscribe(
                _: unknown,
                args: { of: string; after?: string },
                context?: { lastEventId?: string },
              ) {
                const { of, after = context?.lastEventId } = args
                if (of === 'refused') throw tesseraError('NOT_FOUND', 'There is no such clock.')
                const at = after === undefined ? -1 : kept.findIndex(({ id }) => id === after)
                return subscribe('ticked', of, after === undefined ? [] : kept.slice(at + 1))
              },
              resolve: value,
            },
            measured: {
              subscribe: (_: unknown, { of }: { of: string }) => subscribe('measured', of),
              resolve: value,
            },
            strict: { subscribe: () => subscribe('strict', 'a'), resolve: value },
            guarded: { subscribe: () => subscribe('guarded', 'a'), resolve: value },
          },
          Tick: {
            secret: ({ number }: Tick) => number * 100,
            calm: ({ number }: Tick) => -number,
            failing() {
              throw tesseraError('UPSTREAM_UNAVAILABLE', 'It fails.')
            },
          },
        },
      },
    ]),
    createContext(request) {
      requests.push(request)
      return {}
    },
    close: async () => {},
  }
  const names: Subgraph = {
    name: 'names',
    typeDefs: parse(namesSdl),
    schema: buildSubgraphSchema([
      {
        typeDefs: parse(namesSdl),
        resolvers: {
          Query: { version: () => '1' },
          Tick: {
            __resolveReference({ id }: { id: string }, { ids, who }: { ids: string[]; who: unknown }) {
              if (ids.length === 0) lookups.push(ids)
              ids.push(id)
              const tick = { id, name: id === 'a13' ? new Error('unlucky') : `tick ${id}`, broken: null, who }
              return graph.lookUpsWait?.then(() => tick) ?? tick
            },
          },
        },
      },
    ]),
    createContext: (request) => ({ ids: [], who: request.header('x-who') }),
    close: async () => {},
  }
  const subgraphs = [clock, names]
  const graph: LiveGraph = {
    supergraph: liveSupergraph({ subgraphs }),
    transports: new Map(
      subgraphs.map((each) => {
        const callerHeaders = each === names ? ['x-who'] : []
        return [each.name, createInProcessTransport(each, { callerHeaders })]
      }),
    ),
    subgraphs,
    tick(number, of = 'a') {
      const event = { value: { id: `${of}${number}`, number }, id: `${of}:${number}` }
      kept.push(event)
      send('ticked', event, of)
    },
    measure: (number, of = 'a') => send('measured', { value: { id: of, number }, key: of }, of),
    send,
    listening: (field) => [...listeners].filter((each) => field === undefined || each.field === field).length,
    subscribed: () => subscribed,
    lookups,
    lookUpsWait: undefined,
    requests,
  }
  return graph
}

/** Where its subgraphs are, if they are not in the gateway's process, and how the SDL of `names` is changed. */
export interface Elsewhere {
  readonly clock?: string
  readonly names?: string
  readonly change?: (sdl: string) => string
}

/** The supergraph of such a graph. */
export function liveSupergraph(
  { subgraphs }: Pick<LiveGraph, 'subgraphs'>,
  { clock = '', names = '', change = (sdl) => sdl }: Elsewhere = {},
): string {
  const composed = compose(
    subgraphs.map(({ name, typeDefs }) =>
      name === 'names'
        ? { name, url: names, typeDefs: change(typeDefs.loc?.source.body ?? '') }
        : { name, url: clock, typeDefs },
    ),
  )
  if (composed.errors !== undefined) throw new Error(composed.errors.map(String).join('\n'))
  return composed.supergraph
}

/** Lets the name of a tick be looked up by another key, so that the plan is another one. */
export const byNumber = (sdl: string): string =>
  sdl.replace('@key(fields: "id") { id: ID!', '@key(fields: "number") { number: Int @external')

/** The same graph as gateways see it that have one of its subgraphs in their process, and the other one elsewhere. */
export function withOne(graph: LiveGraph, name: 'clock' | 'names', elsewhere: Elsewhere): LiveGraph {
  const own = [...graph.transports].filter(([each]) => each === name)
  return { ...graph, supergraph: liveSupergraph(graph, elsewhere), transports: new Map(own) }
}

export type LiveGateway = RunningGraph<LiveGraph>
export type LiveOptions = GraphOptions & { readonly graph?: LiveGraph }

/** A gateway in front of such a graph. */
export const startLiveGraph = ({
  graph = createLiveGraph(),
  ...options
}: LiveOptions = {}): Promise<LiveGateway> => startGraph({ graph, ...options })
