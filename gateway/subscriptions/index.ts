/**
 * Subscriptions of clients, whatever brings their events to them. Who asks for the same and may be answered the same has
 * one subscription of the subgraph (`channel.ts`); what waits for a slow client is bounded (`subscriber.ts`). They
 * outlive the generation of the graph in which they began if the plan is the same in the next one.
 */
import type { GraphQLError } from 'graphql'
import type { EventSource } from '../../engine/index.ts'
import { printPlan } from '../../engine/planner/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { headerPart } from '../../engine/subgraphs/index.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { Identity } from '../../shared/identity.ts'
import { refuse } from '../auth/authenticate/index.ts'
import { type GrantedOperation, isRefused } from '../auth/operation.ts'
import type { Hooked } from '../hooks/index.ts'
import type { InFlight } from '../pipeline/in-flight/index.ts'
import type { Operations } from '../pipeline/operations.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Caller } from './caller.ts'
import { Channel } from './channel.ts'
import type { EventOptions } from './event.ts'
import { headerOfSubscriber, permissionOf } from './permission.ts'
import { type Bounds, type End, type Leaving, reasonOf, Subscriber } from './subscriber.ts'

export { Caller, type ConnectionHeaders, HttpConnectionHeaders } from './caller.ts'
export { type Delivery, type End, type Leaving, type Listening, Subscriber } from './subscriber.ts'

export interface SubscriptionLimits extends Bounds {
  /** The most subscriptions of this process, of one caller, of one connection. */
  readonly most: number
  readonly mostOfCaller: number
  readonly mostOfConnection: number
}

/** What one generation of the graph gives to the subscriptions that began in it, or were taken over. */
export interface ServedGraph {
  readonly operations: Pick<Operations, 'get'>
  readonly inFlight: Pick<InFlight, 'callerHeaders'>
  readonly events: EventOptions
  /** Keeps the generation's connections open until the returned function is called. */
  hold(): () => void
}

export interface SubscribeInput {
  readonly granted: GrantedOperation
  readonly variables: Readonly<Record<string, unknown>>
  /** The request that asks for it: until its deadline the subscription must have begun. */
  readonly request: GatewayRequest
  readonly caller: Caller
  /** What hooks share, if there are some. */
  readonly hooked: Hooked | undefined
  /** The subscriptions of its connection, if there can be several. */
  readonly connection: Connection | undefined
  readonly graph: ServedGraph
  /** The id of the last event that the client has. */
  readonly resumeAfter: string | undefined
}

/** Whose numbers a subscription counts in. */
interface Counted {
  readonly callerKey: string
  readonly connection: Connection | undefined
}

/** The subscriptions of one connection. */
export interface Connection {
  subscriptions: number
}

export interface Subscriptions {
  /** Begins one. Throws or rejects if that is not possible; errors of variables are a value. */
  subscribe(input: SubscribeInput): Promise<Subscriber | readonly GraphQLError[]>
  /** From now on another generation serves: those go on whose plan is the same in it. */
  takeOver(graph: ServedGraph): Promise<void>
  /** Tells all clients to come back, and refuses new ones. */
  drain(): void
  readonly isDraining: boolean
  /** Subscriptions of clients, and those of subgraphs that they stand on. */
  counts(): { readonly subscribers: number; readonly channels: number }
  close(): void
}

export interface SubscriptionsOptions {
  readonly limits: SubscriptionLimits
  readonly metrics: Metrics
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** How often it is looked whose token has ended. */
const lookMs = 1000

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { limits, metrics, log, now = Date.now } = options
  const byKey = new Map<string, Channel>()
  const channels = new Set<Channel>()
  const byCaller = new Map<string, number>()
  const numbers = new WeakMap<object, number>()
  let subscribers = 0
  let draining = false
  let lastNumber = 0

  const lookAtTokens = (): void => {
    const at = now()
    for (const channel of channels)
      for (const subscriber of channel.subscribers)
        if (at >= subscriber.caller.until) subscriber.finish({ kind: 'failed', error: ended() })
  }
  const timer = setInterval(lookAtTokens, lookMs)
  timer.unref()

  const numberOf = (object: object): number => {
    const known = numbers.get(object) ?? ++lastNumber
    numbers.set(object, known)
    return known
  }

  /** Equal if one subscription of the subgraph serves both; undefined if it is not shared. */
  function keyOf(input: SubscribeInput, sourceKey: string): string | undefined {
    const { granted, variables, graph, resumeAfter } = input
    // What hooks make of an answer is for one caller.
    if (graph.events.hooks?.answer !== undefined) return undefined
    const headers = graph.inFlight.callerHeaders(granted)
    if (headers === undefined) return undefined
    let key = `${numberOf(granted.operation)} ${sourceKey} ${JSON.stringify(variables)}`
    for (const name of headers) key += headerPart(headerOfSubscriber(input, name))
    return `${key} ${input.request.onError} ${resumeAfter === undefined ? '' : JSON.stringify(resumeAfter)}`
  }

  function checkLimits(caller: string, connection: Connection | undefined): void {
    const { most, mostOfCaller, mostOfConnection } = limits
    const refuse = (who: string, maximum: number, limit: string): GraphQLError => {
      metrics.subscriptionEnded('refused')
      return tesseraError(
        'TOO_MANY_SUBSCRIPTIONS',
        `${who} has as many subscriptions as it may: ${maximum}.`,
        {
          extensions: { limit, maximum },
        },
      )
    }
    if (subscribers >= most) throw refuse('The server', most, 'process')
    if ((byCaller.get(caller) ?? 0) >= mostOfCaller) throw refuse('The caller', mostOfCaller, 'caller')
    if (connection !== undefined && connection.subscriptions >= mostOfConnection)
      throw refuse('The connection', mostOfConnection, 'connection')
  }

  function count({ callerKey, connection }: Counted): void {
    subscribers += 1
    byCaller.set(callerKey, (byCaller.get(callerKey) ?? 0) + 1)
    if (connection !== undefined) connection.subscriptions += 1
  }

  function uncount({ callerKey, connection }: Counted): void {
    subscribers -= 1
    const left = (byCaller.get(callerKey) ?? 1) - 1
    if (left === 0) byCaller.delete(callerKey)
    else byCaller.set(callerKey, left)
    if (connection !== undefined) connection.subscriptions -= 1
  }

  function newChannel(input: SubscribeInput, source: EventSource, key: string | undefined): Channel {
    const { granted, variables, request, caller, hooked, graph, resumeAfter } = input
    const release = source.outlivesEngine ? undefined : graph.hold()
    const channel: Channel = new Channel({
      operation: granted.operation,
      variables,
      source,
      id: request.id,
      onError: request.onError,
      caller,
      hooked,
      identity: identityOf(request),
      resumeAfter,
      events: graph.events,
      delivered: metrics.eventsDelivered,
      closed() {
        channels.delete(channel)
        if (key !== undefined && byKey.get(key) === channel) byKey.delete(key)
        release?.()
      },
    })
    channels.add(channel)
    if (key !== undefined) byKey.set(key, channel)
    return channel
  }

  /** What is held of the beginning of a subscription as long as it lasts: nothing else of its request. */
  class Membership implements Leaving, Counted {
    readonly #started = Math.round(performance.now())
    readonly callerKey: string
    readonly connection: Connection | undefined
    readonly #id: string
    readonly #channel: Channel

    /** `id`: of the request, for the log. */
    constructor(id: string, channel: Channel, { callerKey, connection }: Counted) {
      this.#id = id
      this.#channel = channel
      this.callerKey = callerKey
      this.connection = connection
    }

    left(one: Subscriber, end: End): void {
      const channel = this.#channel
      channel.remove(one)
      uncount(this)
      const reason = reasonOf(end)
      metrics.subscriptionEnded(reason)
      metrics.eventsConflated(one.conflated)
      log.info(
        {
          request: this.#id,
          operation: channel.operation.name,
          events: one.delivered,
          conflated: one.conflated,
          reason,
          ms: Math.round(performance.now() - this.#started),
        },
        'subscription ended',
      )
    }
  }

  return {
    async subscribe(input) {
      const { granted, variables, request, caller, hooked, connection } = input
      if (draining) throw stopping()
      const source = granted.compiled.events(variables, request)
      if ('errors' in source) return source.errors
      const identity = identityOf(request)
      caller.noteEnd(identity)
      const callerKey = caller.keyOf(identity)
      checkLimits(callerKey, connection)
      const counted = { callerKey, connection }
      count(counted)
      const key = source.key === undefined ? undefined : keyOf(input, source.key)
      const known = key === undefined ? undefined : byKey.get(key)
      const channel = known ?? newChannel(input, source, key)
      const membership = new Membership(request.id, channel, counted)
      const subscriber = new Subscriber(caller, limits, membership, hooked)
      channel.add(subscriber)
      if (known === undefined) await opened(channel, subscriber, request)
      return subscriber
    },

    async takeOver(graph) {
      byKey.clear()
      const deadline = performance.now() + graph.events.timeoutMs
      for (const channel of [...channels]) {
        const { operation, options: begun } = channel
        const next = await goingOn(graph, channel, deadline)
        if (next !== undefined) {
          channel.exchange(next, graph.events)
          continue
        }
        log.info({ request: begun.id, operation: operation.name }, 'a subscription has to be begun again')
        for (const subscriber of [...channel.subscribers])
          subscriber.finish({ kind: 'restart', error: restart() })
        channel.close()
      }
    },

    drain() {
      draining = true
      for (const channel of [...channels]) {
        for (const subscriber of [...channel.subscribers])
          subscriber.finish({ kind: 'restart', error: stopping() })
        channel.close()
      }
    },
    get isDraining() {
      return draining
    },
    counts: () => ({ subscribers, channels: channels.size }),
    close() {
      clearInterval(timer)
      for (const channel of [...channels]) channel.close()
    },
  }
}

/** Waits until the channel has its source, until the deadline of the request at most. */
async function opened(channel: Channel, subscriber: Subscriber, request: GatewayRequest): Promise<void> {
  let stop = (): void => {}
  const late = new Promise<never>((_, reject) => {
    stop = request.onCancel(() => {
      const message = 'The time was over before the subscription began.'
      reject(tesseraError('UPSTREAM_TIMEOUT', message, { service: channel.options.source.service }))
    })
  })
  try {
    await Promise.race([channel.open(), late])
  } catch (error) {
    subscriber.finish({ kind: 'left' })
    throw error
  } finally {
    stop()
  }
}

/** The operation in the next generation, where everybody's plan is the same in it. */
async function goingOn(graph: ServedGraph, channel: Channel, deadline: number) {
  const { text, name } = channel.operation
  try {
    const next = await graph.operations.get(text, name, deadline)
    if (isRefused(next)) return undefined
    for (const subscriber of channel.subscribers) {
      const { hooks } = graph.events
      const { granted: before } = await permissionOf(subscriber, channel.operation, hooks, deadline)
      const { granted: after } = await permissionOf(subscriber, next, hooks, deadline)
      if (isRefused(before) || isRefused(after)) return undefined
      if (!channel.serves(after)) return undefined
      if (printPlan(before.compiled.plan()) !== printPlan(after.compiled.plan())) return undefined
    }
    return next
  } catch {
    return undefined
  }
}

function identityOf({ identity }: GatewayRequest): Identity {
  if (identity === undefined) throw new Error('The request of a subscription has no identity.')
  return identity
}

const stopping = (): GraphQLError =>
  tesseraError('SERVICE_STOPPING', 'This server is shutting down: subscribe again.')
const restart = (): GraphQLError =>
  tesseraError('SUBSCRIPTION_RESTART', 'The graph has changed: subscribe again.')
const ended = (): GraphQLError => refuse('expired', 'The token has expired: get a new one.')
