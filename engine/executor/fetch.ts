/** Prepares the fetches of a plan: transports, documents and variables. */
import { type DocumentNode, parse } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import type { NoteBytes } from '../cache-memory.ts'
import type { FetchOperation, Plan } from '../planner/index.ts'
import type { SubgraphEvents, SubgraphFetch, Transport } from '../subgraphs/index.ts'
import { pickVariables } from './merge.ts'
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

/** A prepared fetch. */
export interface PreparedFetch {
  readonly service: string
  readonly document: DocumentNode
  readonly possibleTypes: PlanContext['possibleTypes']
  readonly pick: (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>
  readonly send: SubgraphFetch
  /** Used instead of `send` to make the result of an event, of a subscription. */
  readonly events?: SubgraphEvents | undefined
}

/** The root fetch of a subscription: its events, and the result of each. */
export interface EventFetch {
  readonly service: string
  readonly pick: PreparedFetch['pick']
  readonly events: SubgraphEvents
}

/** The context in which one plan is compiled. */
export interface CompileContext extends PlanContext {
  readonly required: RequiredPlaces
}

export function prepareFetch(operation: FetchOperation, context: PlanContext): PreparedFetch {
  const transport = context.transports.get(operation.service)
  if (transport === undefined) throw new Error(`There is no transport for the subgraph ${operation.service}.`)
  const document = parse(operation.text, { noLocation: true })
  const { text, name, kind, variableNames, later } = operation
  const { possibleTypes, noteBytes, noteEvents } = context
  const pick = pickVariables(variableNames)
  const prepared = { text, document, name, kind, variableNames, noteBytes, later }
  const { service } = operation
  if (kind !== 'subscription') {
    return { service, document, possibleTypes, pick, send: transport.prepare(prepared) }
  }
  const events = transport.subscribe?.(prepared)
  if (events === undefined)
    throw tesseraError('BAD_REQUEST', `The subgraph ${service} cannot be subscribed to here.`, { service })
  noteEvents?.({ service, pick, events })
  return { service, document, possibleTypes, pick, events, send: () => noEvent }
}

const noEvent = { data: null, errors: [{ message: 'A subscription is executed event by event.' }] } as const
