/** An operation as the planner sees it: positions at which objects stand, and the fields that are selected of them. */
import type { ArgumentNode } from 'graphql'
import type { Conjunction } from '../../operation/conditions.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { SubgraphType } from './graph.ts'
import type { Delivery } from './reach.ts'

/** A place of the response, by its keys alone: several positions can share one. */
export interface Place {
  readonly below: Map<string, Place>
  /** What stands under each response key; undefined if different fields do. */
  readonly keys: Map<string, string | undefined>
}

/** A place at which objects stand. */
export interface Position {
  readonly id: number
  /** The field that leads here; undefined at the root. */
  readonly field: Field | undefined
  readonly place: Place
  readonly types: TypeSet
  /** Whether an interface or union is declared here: then the response hangs on `__typename`. */
  readonly abstract: boolean
  /** The names of the types that are declared here. */
  readonly declared: ReadonlySet<string>
  readonly when: Conjunction
  /** Whether its fields are run one after the other. */
  readonly serial: boolean
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>
  readonly fields: readonly Field[]
  readonly requirements: Map<string, readonly Field[]>
  /** The streamed lists in whose items it stands, from the outermost in. */
  readonly lists: readonly string[]
}

/** A subgraph that can resolve a field, and how it sees objects of each type. */
export interface Candidate {
  readonly graph: number
  readonly views: ReadonlyMap<string, SubgraphType>
}

/** A field as it is selected on some object types under some conditions. */
export interface Field {
  readonly id: number
  readonly at: Position
  /** The response key. */
  readonly key: string
  readonly name: string
  readonly arguments: readonly ArgumentNode[]
  /** Name and arguments: equal for what has the same value. */
  readonly signature: string
  /** Executable directives of the field and of the fragments around it. */
  readonly directives: string
  readonly wraps: readonly string[]
  readonly types: TypeSet
  readonly when: Conjunction
  /** Its place in the document; what a key or `@requires` needs comes before. */
  readonly order: number
  readonly below: Position | undefined
  readonly candidates: readonly Candidate[]
  /** The name of the streamed list that it is. */
  readonly list: string | undefined
}
