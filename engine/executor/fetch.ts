/** Prepares the fetches of a plan (transports, documents and variables), and sends them. */
import { parse } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { writeMember } from '../../shared/json/members.ts'
import { whenReady } from '../../shared/runtime/is-promise.ts'
import type { NoteBytes } from '../cache-memory.ts'
import type { FetchOperation, Plan } from '../planner/index.ts'
import type { SubgraphEvents, SubgraphFetch, SubgraphResult, Transport } from '../subgraphs/index.ts'
import type { ReportedFetch } from './errors.ts'
import type { Execution } from './execution.ts'
import { createRestore, type Required, type RestoreRequired } from './refetch-required.ts'
import type { RequiredPlaces } from './required-places.ts'

export interface PlanContext {
  readonly transports: ReadonlyMap<string, Transport>
  readonly possibleTypes: ReadonlyMap<string, ReadonlySet<string>>
  /** The whole plan, if only a node of it is compiled. */
  readonly whole?: Plan
  /** The root keys of `node` fields whose objects must be verified (`absent-nodes.ts`). */
  readonly nodeFieldsToVerify: ReadonlySet<string>
  /** Receives the estimated bytes of what transports keep for the plan. */
  readonly noteBytes?: NoteBytes | undefined
  /** Receives the fetch that yields the events of a subscription. */
  readonly noteEvents?: ((fetch: EventFetch) => void) | undefined
}

export interface PreparedFetch extends ReportedFetch {
  readonly pick: (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>
  readonly send: SubgraphFetch
  readonly restore: RestoreRequired
  /** Used instead of `send` to make the result of an event, of a subscription. */
  readonly events?: SubgraphEvents | undefined
}

/** The root fetch of a subscription: its events, and the result of each. */
export interface EventFetch {
  readonly service: string
  readonly text: string
  readonly pick: PreparedFetch['pick']
  readonly events: SubgraphEvents
}

/** The context in which one plan is compiled. */
export interface CompileContext extends PlanContext {
  readonly required: RequiredPlaces
}

export function prepareFetch(
  operation: FetchOperation,
  context: PlanContext,
  required: Required,
): PreparedFetch {
  const { service, text, name, kind, variableNames, later } = operation
  const { possibleTypes, noteBytes, noteEvents, transports } = context
  const transport = transports.get(service)
  if (transport === undefined) throw new Error(`There is no transport for the subgraph ${service}.`)
  const document = parse(text, { noLocation: true })
  const pick = pickVariables(variableNames)
  const prepared = { text, document, name, kind, variableNames, noteBytes, later }
  const restore = createRestore(operation, document, required, transport, noteBytes)
  const fetch = { service, document, possibleTypes, pick, restore }
  if (kind !== 'subscription') return { ...fetch, send: transport.prepare(prepared) }
  const events = transport.subscribe?.(prepared)
  if (events === undefined)
    throw tesseraError('BAD_REQUEST', `The subgraph ${service} cannot be subscribed to here.`, { service })
  noteEvents?.({ service, text, pick, events })
  return { ...fetch, events, send: () => noEvent }
}

const noVariables: Record<string, unknown> = Object.freeze({})

/** The named variables. Variables without a value are omitted, because the subgraph has its own defaults. */
function pickVariables(names: readonly string[]): PreparedFetch['pick'] {
  if (names.length === 0) return () => noVariables
  return (variables) => {
    const picked: Record<string, unknown> = {}
    for (const name of names) if (Object.hasOwn(variables, name)) writeMember(picked, name, variables[name])
    return picked
  }
}

/** Handles a result: first its errors are reported, then its data is merged. */
interface Receiver {
  report(result: SubgraphResult): void
  merge(result: SubgraphResult): void
}

/** Sends a fetch. What other fetches require of its result is restored before it is merged. */
export function sendFetch(
  { send, events, restore }: PreparedFetch,
  { request, event, errors }: Execution,
  variables: Readonly<Record<string, unknown>>,
  receiver: Receiver,
): void | Promise<void> {
  const result =
    event === undefined || events === undefined
      ? send(variables, request)
      : events.result(event, variables, request)
  return whenReady(result, (received) => {
    if (received.moreErrors === true) errors.addMore()
    receiver.report(received)
    return whenReady(restore(received, variables, request), () => receiver.merge(received))
  })
}

const noEvent = { data: null, errors: [{ message: 'A subscription is executed event by event.' }] } as const
