/**
 * The subscriptions of a subgraph service. Each executes its events for itself: what polls behind them is shared within the
 * subgraph, and equal subscriptions of clients are one before they come here. What waits for a router is bounded, as it is
 * for clients of a gateway; an event tells where to go on after it, and which earlier one it replaces.
 */
import { type DocumentNode, type GraphQLError, getOperationAST, parse, validate } from 'graphql'
import { tesseraError } from '../../../contract/errors.ts'
import { bytesOfJson } from '../../../contract/json/raw.ts'
import type { Subgraph } from '../../../contract/subgraph.ts'
import { refuse } from '../../access/authenticate/index.ts'
import { checkNesting, checkValue } from '../../budget/limits/index.ts'
import { createKeptMemory, keptBytes, syntaxCharacters } from '../../engine/kept.ts'
import { createGatewayRequest, type GatewayRequest } from '../../engine/request.ts'
import {
  createInProcessTransport,
  type SourceEvent,
  type SubgraphEvents,
} from '../../engine/transport/index.ts'
import { type Coerce, compileVariables } from '../../engine/variables.ts'
import { maskError } from '../../http/mask.ts'
import type { OperationParams } from '../../http/negotiation.ts'
import { type Caller, type Connection, resumeFrom, Subscriber } from '../../http/subscriptions/index.ts'
import { reasonOf } from '../../http/subscriptions/subscriber.ts'
import type { Logger } from '../../observe/log.ts'
import type { Metrics } from '../../observe/metrics/index.ts'
import type { Traces } from '../../observe/traces/index.ts'
import { resultBody } from '../result-body.ts'

export interface SubscriptionsOptions {
  readonly subgraph: Subgraph
  readonly limits: {
    readonly waitingEvents: number
    readonly waitingBytes: number
    readonly most: number
    readonly mostOfConnection: number
    /** Levels of brackets and variables. */
    readonly nesting: number
  }
  readonly keptDocuments: number
  /** The most that the result of one event may take, and the beginning of a subscription. */
  readonly timeoutMs: number
  readonly metrics: Metrics
  readonly traces: Traces | undefined
  readonly log: Logger
}

export interface SubscribeInput {
  readonly id: string
  readonly params: OperationParams
  readonly caller: Caller
  /** The subscriptions of its connection, where there can be several. */
  readonly connection: Connection | undefined
  /** The id of the last event that the client has, as it says it. */
  readonly lastEventId: unknown
}

export interface Subscriptions {
  /** Whether the operation is a subscription, or one that cannot be read. */
  isFor(params: OperationParams): boolean
  /** Begins one; what is wrong is a value. Never rejects. */
  subscribe(input: SubscribeInput): Promise<Subscriber | readonly GraphQLError[]>
  readonly size: number
  /** Tells all to come back, and refuses new ones. */
  drain(): void
  close(): void
}

interface Prepared {
  readonly coerce: Coerce
  readonly events: SubgraphEvents
}

type Read = Prepared | readonly GraphQLError[] | 'other'

/** How often it is looked whose token has ended. */
const lookMs = 1000
const mostKeptBytes = 20_000_000

class KeptOperation {
  readonly prepared: Prepared

  constructor(prepared: Prepared) {
    this.prepared = prepared
  }
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { subgraph, limits, timeoutMs, metrics, traces, log } = options
  const { schema, name: service } = subgraph
  const transport = createInProcessTransport(subgraph)
  const kept = createKeptMemory(mostKeptBytes, options.keptDocuments)
  const open = new Set<Subscriber>()
  let draining = false

  const timer = setInterval(() => {
    const now = Date.now()
    for (const subscriber of [...open])
      if (now >= subscriber.caller.until)
        subscriber.finish({
          kind: 'failed',
          error: refuse('expired', 'The token has expired: get a new one.'),
        })
  }, lookMs)
  timer.unref()

  function read({ query, operationName }: OperationParams): Read {
    if (query === undefined) return [tesseraError('BAD_REQUEST', 'A subscription is sent with its document.')]
    const key = `${operationName ?? ''} ${query}`
    const known = kept.get(key)
    if (known instanceof KeptOperation) return known.prepared
    const nested = checkNesting(query, limits)
    if (nested !== undefined) return [nested]
    let document: DocumentNode
    try {
      document = parse(query)
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The document cannot be read.'
      return [tesseraError('GRAPHQL_PARSE_FAILED', message)]
    }
    const definition = getOperationAST(document, operationName)
    if (definition != null && definition.operation !== 'subscription') return 'other'
    const faults = validate(schema, document)
    if (faults.length > 0 || definition == null)
      return faults.length > 0
        ? faults.map(({ message }) => tesseraError('GRAPHQL_VALIDATION_FAILED', message))
        : [tesseraError('BAD_REQUEST', 'The document has no operation of this name.')]
    const prepared: Prepared = {
      coerce: compileVariables(schema, definition),
      events: transport.subscribe?.({
        text: query,
        document,
        name: definition.name?.value,
        kind: 'subscription',
        variableNames: (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
      }) as SubgraphEvents,
    }
    kept.set(
      key,
      new KeptOperation(prepared),
      keptBytes.operation + syntaxCharacters(query) * keptBytes.treeCharacter,
    )
    return prepared
  }

  function full(connection: Connection | undefined): GraphQLError | undefined {
    const tooMany = (limit: string, maximum: number): GraphQLError => {
      metrics.subscriptionEnded('refused')
      return tesseraError(
        'TOO_MANY_SUBSCRIPTIONS',
        `There are as many subscriptions as may be: ${maximum}.`,
        {
          service,
          extensions: { limit, maximum },
        },
      )
    }
    if (open.size >= limits.most) return tooMany('process', limits.most)
    if (connection !== undefined && connection.subscriptions >= limits.mostOfConnection)
      return tooMany('connection', limits.mostOfConnection)
    return undefined
  }

  async function requestOf(
    { id, caller }: SubscribeInput,
    deadline: number,
    resumeAfter?: string,
  ): Promise<GatewayRequest> {
    const identity = await caller.identity()
    caller.noteEnd(identity)
    return createGatewayRequest({
      id,
      deadline,
      header: (name) => caller.header(name),
      names: () => caller.names(),
      identity,
      resumeAfter,
    })
  }

  /** One event as JSON. */
  async function bodyOf(
    event: SourceEvent,
    input: SubscribeInput,
    { events }: Prepared,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Buffer> {
    const { id, caller } = input
    const make = async (): Promise<Buffer> => {
      const request = await requestOf(input, performance.now() + timeoutMs)
      const result = await events.result(event, variables, request)
      const { id: eventId, key: eventKey } = event
      const named = { ...event.extensions, ...withoutNone({ eventId, eventKey }) }
      const extensions = Object.keys(named).length === 0 ? undefined : named
      return bytesOfJson(resultBody(result, { id, log, extensions }))
    }
    if (traces === undefined) return make()
    return traces.request(
      (name) => caller.header(name),
      (span) => {
        span.rename(`${service} event`)
        return make()
      },
    )
  }

  async function run(
    iterator: AsyncIterator<SourceEvent, unknown, undefined>,
    subscriber: Subscriber,
    input: SubscribeInput,
    prepared: Prepared,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    try {
      while (!subscriber.isOver) {
        const { done, value: event } = await iterator.next()
        if (done === true) {
          subscriber.finish({ kind: 'complete' })
          return
        }
        const body = await bodyOf(event, input, prepared, variables)
        if (subscriber.isOver) return
        subscriber.push({ body, key: event.key, id: event.id })
        metrics.eventsDelivered(1)
      }
    } catch (error) {
      subscriber.finish({ kind: 'failed', error: maskError(error, input.id, log) })
    }
  }

  /** Rejects with what keeps it from beginning. */
  async function begin(
    input: SubscribeInput,
    prepared: Prepared,
  ): Promise<Subscriber | readonly GraphQLError[]> {
    const { params, caller, connection, id } = input
    const { variables, errors } = prepared.coerce(params.variables ?? {})
    if (variables === undefined) return errors
    const refusal = full(connection)
    if (refusal !== undefined) return [refusal]
    const request = await requestOf(input, Number.POSITIVE_INFINITY, resumeFrom(input.lastEventId))
    const started = performance.now()
    let iterator: AsyncIterator<SourceEvent, unknown, undefined> | undefined
    const subscriber = new Subscriber(caller, limits, {
      left(one, end) {
        open.delete(one)
        if (connection !== undefined) connection.subscriptions -= 1
        request.cancel()
        iterator?.return?.().catch(() => {})
        const reason = reasonOf(end)
        metrics.subscriptionEnded(reason)
        metrics.eventsConflated(one.conflated)
        const ms = Math.round(performance.now() - started)
        log.info({ request: id, events: one.delivered, reason, ms }, 'subscription ended')
      },
    })
    open.add(subscriber)
    if (connection !== undefined) connection.subscriptions += 1
    const late = setTimeout(() => {
      const message = 'The time was over before the subscription began.'
      subscriber.finish({ kind: 'failed', error: tesseraError('UPSTREAM_TIMEOUT', message, { service }) })
    }, timeoutMs)
    try {
      iterator = await prepared.events.open(variables, request)
    } catch (error) {
      subscriber.finish({ kind: 'left' })
      throw error
    } finally {
      clearTimeout(late)
    }
    if (subscriber.isOver) void iterator.return?.()
    else void run(iterator, subscriber, input, prepared, variables)
    return subscriber
  }

  return {
    isFor(params) {
      return params.query !== undefined && /\bsubscription\b/.test(params.query) && read(params) !== 'other'
    },
    async subscribe(input) {
      if (draining) return [stopping()]
      const nested = checkValue(input.params.variables, { ...limits, listItems: Number.POSITIVE_INFINITY })
      if (nested !== undefined) return [nested]
      const prepared = read(input.params)
      if (prepared === 'other')
        return [tesseraError('BAD_REQUEST', 'Only subscriptions are answered by events: send it by POST.')]
      if (!('events' in prepared)) return prepared
      try {
        return await begin(input, prepared)
      } catch (error) {
        return [maskError(error, input.id, log)]
      }
    },
    get size() {
      return open.size
    },
    drain() {
      draining = true
      for (const subscriber of [...open]) subscriber.finish({ kind: 'restart', error: stopping() })
    },
    close() {
      clearInterval(timer)
      for (const subscriber of [...open]) subscriber.finish({ kind: 'left' })
    },
  }
}

const stopping = (): GraphQLError =>
  tesseraError('SERVICE_STOPPING', 'This server is shutting down: subscribe again.')

const withoutNone = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
