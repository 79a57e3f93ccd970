/** Fetches of a plan, made ready once: their transports, their documents, the variables that they take. */
import { type DocumentNode, parse } from 'graphql'
import type { NoteKept } from '../kept.ts'
import type { FetchOperation } from '../plan/index.ts'
import type { SubgraphFetch, Transport } from '../transport/index.ts'
import { pickVariables } from './merge.ts'
import type { RootKeyUses } from './root-key-uses.ts'

export interface PlanContext {
  readonly transports: ReadonlyMap<string, Transport>
  readonly possibleTypes: ReadonlyMap<string, ReadonlySet<string>>
  /** Root keys whose objects exist only if a subgraph that is asked for them knows them. */
  readonly unsureRoots: ReadonlySet<string>
  /** Gets the weight of what transports make and keep for the plan. */
  readonly noteKept?: NoteKept | undefined
}

/** A fetch that is ready to be sent. */
export interface PreparedFetch {
  readonly service: string
  readonly document: DocumentNode
  readonly possibleTypes: PlanContext['possibleTypes']
  readonly pick: (variables: Readonly<Record<string, unknown>>) => Record<string, unknown>
  readonly send: SubgraphFetch
}

/** What is known while one plan is compiled. */
export interface CompileContext extends PlanContext {
  readonly rootKeyUses: RootKeyUses
}

export function prepareFetch(operation: FetchOperation, context: PlanContext): PreparedFetch {
  const transport = context.transports.get(operation.service)
  if (transport === undefined) throw new Error(`There is no transport for the subgraph ${operation.service}.`)
  const document = parse(operation.text, { noLocation: true })
  const { text, name, kind, variableNames } = operation
  if (kind === 'subscription') throw new Error('Subscriptions are planned, but not executed.')
  return {
    service: operation.service,
    document,
    possibleTypes: context.possibleTypes,
    pick: pickVariables(variableNames),
    send: transport.prepare({ text, document, name, kind, variableNames, noteKept: context.noteKept }),
  }
}
