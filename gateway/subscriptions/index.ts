/**
 * Subscriptions of clients over any transport. Equal subscriptions of callers who may share answers have one subscription
 * of the subgraph (`channel.ts`). The events that wait for a slow client are bounded (`subscriber.ts`). A subscription
 * continues in the next generation of the graph if its plan is the same there.
 */
import type { GraphQLError } from 'graphql'
import type { EventSource } from '../../engine/index.ts'
import { printPlan } from '../../engine/planner/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { headerPart } from '../../engine/subgraphs/index.ts'
import { tesseraError } from '../../shared/errors.ts'
import type { Identity } from '../../shared/identity.ts'
import { refuse } from '../auth/authenticate/index.ts'
import { type GrantedOperation, isRefused } from '../auth/granted-operation.ts'
import { maxUnitsHeader } from '../costs/quota/index.ts'
import type { Hooked } from '../hooks/index.ts'
import type { InFlight } from '../pipeline/in-flight.ts'
import type { Operations } from '../pipeline/operations.ts'
import type { DocumentReader } from '../pipeline/persisted/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Caller } from './caller.ts'
import { Channel } from './channel.ts'
import type { SubscriptionSettings } from './config.ts'
import type { EventOptions } from './event.ts'
import { headerOfSubscriber, permissionOf } from './permission.ts'
import { type Connection, type Counted, type End, reasonOf, Subscriber } from './subscriber.ts'

export { Caller } from './caller.ts'
export { type Connection, Subscriber } from './subscriber.ts'

/** The parts of one generation of the graph that its subscriptions use. */
export interface ServedGraph {
  readonly documents: Pick<DocumentReader, 'read'>
  readonly operations: Pick<Operations, 'get'>
  readonly inFlight: Pick<InFlight, 'callerHeaders'>
  readonly events: EventOptions
  /** Keeps the generation's connections open until the returned function is called. */
  hold(): () => void
}

interface SubscribeInput {
  readonly granted: GrantedOperation
  readonly variables: Readonly<Record<string, unknown>>
  /** The request of the subscription, which must have begun before its deadline. */
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

interface SubscriptionsOptions {
  readonly limits: SubscriptionSettings
  readonly metrics: Metrics
  readonly log: Logger
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** The most characters of a subscription's variables as JSON, which are kept as long as it lives. */
const longestVariables = 65_536

/** How often expired tokens are looked for. */
const lookMs = 1000

export class Subscriptions {
  readonly #options: SubscriptionsOptions
  readonly #byKey = new Map<string, Channel>()
  readonly #channels = new Set<Channel>()
  readonly #byCaller = new Map<string, number>()
  readonly #numbers = new WeakMap<object, number>()
  #subscribers = 0
  #draining = false
  /** The generation that took over last. */
  #serving: ServedGraph | undefined
  #lastNumber = 0
  readonly #timer

  constructor(options: SubscriptionsOptions) {
    this.#options = options
    this.#timer = setInterval(this.#lookAtTokens, lookMs)
    this.#timer.unref()
  }

  /** Begins one. Throws or rejects if that is not possible; errors of variables are a value. */
  async subscribe(input: SubscribeInput): Promise<Subscriber | readonly GraphQLError[]> {
    const { granted, variables, request, caller, hooked, connection, graph } = input
    if (this.#draining) throw stopping()
    const kept = JSON.stringify(variables)
    if (kept.length > longestVariables) throw tooLong()
    const source = granted.compiled.events(variables, request)
    if ('errors' in source) return source.errors
    const identity = identityOf(request)
    caller.noteEnd(identity)
    const callerKey = caller.key()
    this.#checkLimits(callerKey, connection)
    const counted = { id: request.id, callerKey, connection }
    this.#count(counted)
    const key =
      source.key === undefined ? undefined : this.#keyOf(input, `${source.key} ${source.text}`, kept)
    const known = key === undefined ? undefined : this.#byKey.get(key)
    const channel = known ?? this.#newChannel(input, source, key)
    const subscriber = new Subscriber({
      caller,
      counted,
      hooked,
      bounds: this.#options.limits,
      owner: channel,
    })
    channel.add(subscriber)
    // Another generation may have taken over since the request came. It decides while the subgraph is asked.
    const serving = this.#serving ?? graph
    if (known === undefined && serving !== graph) void this.#pass(channel, serving)
    if (!channel.isOpen) await opened(channel, subscriber, request)
    return subscriber
  }

  /** Another generation serves from now on. Subscriptions with the same plan there continue. */
  async takeOver(graph: ServedGraph): Promise<void> {
    this.#serving = graph
    this.#byKey.clear()
    const deadline = performance.now() + graph.events.timeoutMs
    for (const channel of [...this.#channels]) await this.#pass(channel, graph, deadline)
  }

  /** Lets a channel continue in a generation, or ends it. Never rejects. */
  async #pass(
    channel: Channel,
    graph: ServedGraph,
    deadline = performance.now() + graph.events.timeoutMs,
  ): Promise<void> {
    const { operation, options: begun } = channel
    const { events, inFlight, hold } = graph
    const next = await goingOn(graph, channel, deadline)
    // A later generation takes it over.
    if (this.#serving !== graph) return
    if (next !== undefined) {
      channel.exchange({ operation: next, events, inFlight, hold })
      return
    }
    this.#options.log.info(
      { request: begun.id, operation: operation.name },
      'a subscription must be started again',
    )
    channel.end({ kind: 'restart', error: restart() })
  }

  /** Asks all clients to reconnect, and refuses new subscriptions. */
  drain(): void {
    this.#draining = true
    for (const channel of [...this.#channels]) channel.end({ kind: 'restart', error: stopping() })
  }

  /** The numbers of clients' subscriptions, and of the subgraphs' subscriptions behind them. */
  counts(): { readonly subscribers: number; readonly channels: number } {
    return { subscribers: this.#subscribers, channels: this.#channels.size }
  }

  close(): void {
    clearInterval(this.#timer)
    for (const channel of [...this.#channels]) channel.close()
  }

  readonly #lookAtTokens = (): void => {
    const { now = Date.now } = this.#options
    const at = now()
    for (const channel of this.#channels)
      for (const subscriber of channel.subscribers)
        if (at >= subscriber.caller.until) subscriber.finish({ kind: 'failed', error: ended() })
  }

  #numberOf(object: object): number {
    const known = this.#numbers.get(object) ?? ++this.#lastNumber
    this.#numbers.set(object, known)
    return known
  }

  /** Two subscriptions with the same key share one of the subgraph; undefined if it is not shared. */
  #keyOf(input: SubscribeInput, sourceKey: string, variables: string): string | undefined {
    const { granted, graph, resumeAfter } = input
    // Hooks change answers for one caller only.
    if (graph.events.hooks?.answer !== undefined) return undefined
    const headers = graph.inFlight.callerHeaders(granted)
    if (headers === undefined) return undefined
    let key = `${this.#numberOf(granted.operation)} ${sourceKey} ${variables}`
    // One caller's limit on units must not bind other callers.
    for (const name of [maxUnitsHeader, ...headers]) key += headerPart(headerOfSubscriber(input, name))
    return `${key} ${input.request.onError} ${resumeAfter === undefined ? '' : JSON.stringify(resumeAfter)}`
  }

  #checkLimits(caller: string, connection: Connection | undefined): void {
    const { most, mostOfCaller, mostOfConnection } = this.#options.limits
    const refuse = (who: string, maximum: number, limit: string): GraphQLError => {
      this.#options.metrics.subscriptionEnded('refused')
      return tesseraError(
        'TOO_MANY_SUBSCRIPTIONS',
        `${who} already has the maximum of ${maximum} subscriptions.`,
        { extensions: { limit, maximum } },
      )
    }
    if (this.#subscribers >= most) throw refuse('The server', most, 'process')
    if ((this.#byCaller.get(caller) ?? 0) >= mostOfCaller) throw refuse('The caller', mostOfCaller, 'caller')
    if (connection !== undefined && connection.subscriptions >= mostOfConnection)
      throw refuse('The connection', mostOfConnection, 'connection')
  }

  #count({ callerKey, connection }: Counted): void {
    this.#subscribers += 1
    this.#byCaller.set(callerKey, (this.#byCaller.get(callerKey) ?? 0) + 1)
    if (connection !== undefined) connection.subscriptions += 1
  }

  #left(one: Subscriber, end: End, { operation }: Channel): void {
    const { log, metrics } = this.#options
    const { id, callerKey, connection } = one.counted
    this.#subscribers -= 1
    const left = (this.#byCaller.get(callerKey) ?? 1) - 1
    if (left === 0) this.#byCaller.delete(callerKey)
    else this.#byCaller.set(callerKey, left)
    if (connection !== undefined) connection.subscriptions -= 1
    const reason = reasonOf(end)
    metrics.subscriptionEnded(reason)
    metrics.eventsConflated(one.conflated)
    log.info(
      {
        request: id,
        operation: operation.name,
        events: one.delivered,
        conflated: one.conflated,
        reason,
        ms: Math.round(performance.now() - one.started),
      },
      'subscription ended',
    )
  }

  #newChannel(input: SubscribeInput, source: EventSource, key: string | undefined): Channel {
    const { granted, variables, request, caller, hooked, graph, resumeAfter } = input
    const unshared = (): void => {
      if (key !== undefined && this.#byKey.get(key) === channel) this.#byKey.delete(key)
    }
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
      inFlight: graph.inFlight,
      hold: graph.hold,
      headers: graph.inFlight.callerHeaders(granted) ?? [],
      onDelivered: this.#options.metrics.eventsDelivered,
      onLeft: (one, end) => this.#left(one, end, channel),
      onClosed: () => {
        this.#channels.delete(channel)
        unshared()
      },
      onUnshared: unshared,
    })
    this.#channels.add(channel)
    if (key !== undefined) this.#byKey.set(key, channel)
    return channel
  }
}

/** Waits until the channel has its source, until the deadline of the request at most. */
async function opened(channel: Channel, subscriber: Subscriber, request: GatewayRequest): Promise<void> {
  let stop = (): void => {}
  const late = new Promise<never>((_, reject) => {
    stop = request.onCancel(() => {
      const message = 'The subscription did not begin in time.'
      reject(tesseraError('UPSTREAM_TIMEOUT', message, { service: channel.options.source.service }))
    })
  })
  try {
    await Promise.race([channel.open(), late])
  } catch (error) {
    // The graph or the server ended it meanwhile: its client is asked to reconnect, as any other.
    if (subscriber.end?.kind === 'restart') return
    subscriber.finish({ kind: 'left' })
    throw error
  } finally {
    stop()
  }
}

/** The operation in the next generation, if every subscriber's plan is the same there; otherwise undefined. */
async function goingOn(graph: ServedGraph, channel: Channel, deadline: number) {
  const { text: query, name } = channel.operation
  try {
    // Its document may not be trusted any more.
    const params = { query, operationName: name, variables: undefined, extensions: undefined }
    const next = await graph.operations.get(await graph.documents.read(params), name, deadline)
    if (isRefused(next)) return undefined
    const { hooks } = graph.events
    for (const subscriber of channel.subscribers) {
      // Hooks that were added know nothing of its beginning.
      if (hooks !== undefined && subscriber.hooked === undefined) return undefined
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
const tooLong = (): GraphQLError =>
  tesseraError(
    'OPERATION_TOO_LARGE',
    `The variables of a subscription have at most ${longestVariables} characters.`,
    { extensions: { limit: 'variables', maximum: longestVariables } },
  )
const restart = (): GraphQLError =>
  tesseraError('SUBSCRIPTION_RESTART', 'The graph has changed: subscribe again.')
const ended = (): GraphQLError => refuse('expired', 'The token has expired: get a new one.')
