/** Subscriptions of one subgraph alone: a clock that tests hold, and the results of events, each with a fresh context. */
import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import type { LiveClock, LiveEvent } from '../../shared/polling.ts'
import { getOrInsert } from '../../shared/runtime/maps.ts'
import type { Subgraph } from '../../shared/subgraph.ts'
import { type TestRequest, testRequest } from './request.ts'
import { until } from './wait.ts'

export interface HeldClock extends LiveClock {
  /** Lets time pass; everything that is due runs, in its order. */
  pass(milliseconds: number): void
  /** Corrects the time by this much. Timers run when they would have. */
  correct(milliseconds: number): void
  /** How many timers wait. */
  readonly waiting: number
}

/** A clock that stands still unless the test lets time pass. */
export function heldClock(start = Date.UTC(2026, 10, 22, 12)): HeldClock {
  let now = start
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    after(milliseconds, run) {
      const timer = {}
      timers.set(timer, { at: now + Math.max(0, milliseconds), run })
      return () => void timers.delete(timer)
    },
    pass(milliseconds) {
      const until = now + milliseconds
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0]
        if (due === undefined) break
        const [timer, { at, run }] = due
        timers.delete(timer)
        now = Math.max(now, at)
        run()
      }
      now = until
    },
    correct(milliseconds) {
      now += milliseconds
      for (const [timer, { at, run }] of timers) timers.set(timer, { at: at + milliseconds, run })
    },
    get waiting() {
      return timers.size
    },
  }
}

export interface LiveResult {
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  readonly data: any
  readonly errors: readonly GraphQLError[]
  readonly id: string | undefined
  readonly key: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: results are compared, not used
  readonly extensions: any
}

export interface Subscription {
  /** Fails if the subscription has ended. */
  next(): Promise<LiveResult>
  /** The events that have come; none is waited for. */
  readonly seen: readonly LiveResult[]
  /** Reads on in the background, into `seen`. */
  read(): void
  /** How it ended: undefined while it goes on, null if it was done. */
  readonly ended: Error | null | undefined
  /** Waits until so many events were seen. */
  until(count: number): Promise<readonly LiveResult[]>
  close(): Promise<void>
}

const documents = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>()

/** Parsed and validated once, as there may be thousands of subscriptions. */
function documentOf(schema: GraphQLSchema, operation: string): DocumentNode {
  const known = getOrInsert(documents, schema, () => new Map())
  return getOrInsert(known, operation, () => {
    const document = parse(operation)
    const faults = validate(schema, document)
    if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join('\n'))
    return document
  })
}

/** Begins a subscription; rejects if it is refused. */
export async function subscribeTo(
  subgraph: Subgraph,
  operation: string,
  variables: Record<string, unknown> = {},
  request: TestRequest = testRequest({}, { timeoutMs: 600_000 }),
): Promise<Subscription> {
  const { schema } = subgraph
  const document = documentOf(schema, operation)
  const stream = await createSourceEventStream({
    schema,
    document,
    variableValues: variables,
    contextValue: subgraph.createContext(request),
  })
  if (!(Symbol.asyncIterator in stream)) throw stream.errors?.[0] ?? new Error('no stream')
  const events = stream[Symbol.asyncIterator]() as AsyncIterator<LiveEvent>
  const seen: LiveResult[] = []
  let ended: Error | null | undefined
  async function next(): Promise<LiveResult> {
    const { value: event, done } = await events.next()
    if (done === true) throw new Error('the subscription has ended')
    const { data, errors = [] } = await execute({
      schema,
      document,
      variableValues: variables,
      contextValue: subgraph.createContext(testRequest()),
      rootValue: event,
    })
    const { id, key, extensions } = event as LiveEvent
    return { data: JSON.parse(JSON.stringify(data ?? null)), errors, id, key, extensions }
  }
  return {
    next,
    seen,
    get ended() {
      return ended
    },
    read() {
      void (async () => {
        try {
          for (;;) {
            seen.push(await next())
          }
        } catch (error) {
          ended = error instanceof Error && error.message !== 'the subscription has ended' ? error : null
        }
      })()
    },
    async until(count) {
      await until(
        () => seen.length >= count || ended !== undefined,
        () => `${count} events, of which ${seen.length} came`,
      )
      return seen
    },
    async close() {
      await events.return?.()
    },
  }
}

/** Waits until a condition holds. */
export const eventually = (
  condition: () => boolean | Promise<boolean>,
  what = 'the condition',
): Promise<void> => until(condition, what)
