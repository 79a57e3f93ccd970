/** An operation as the planner sees it: positions of objects, and the fields that are selected of them. */
import type { ArgumentNode } from 'graphql'
import type { Conjunction } from '../../operation/conditions.ts'
import type { TypeSet } from '../../operation/type-sets.ts'
import type { SubgraphType } from './graph.ts'
import type { ResolvedIn } from './reachability.ts'

/** A place in the response, identified by response keys alone. Several positions can share one. */
export interface Place {
  readonly below: Map<string, Place>
  /** The signature of the field under each response key. Undefined if different fields share the key. */
  readonly keys: Map<string, string | undefined>
}

/** The objects that one field returns. */
export interface Position {
  readonly id: number
  /** The field that leads here; undefined at the root. */
  readonly field: Field | undefined
  readonly place: Place
  readonly types: TypeSet
  /** Whether the declared type is an interface or union: then the response depends on `__typename`. */
  readonly abstract: boolean
  readonly declared: ReadonlySet<string>
  readonly when: Conjunction
  readonly serial: boolean
  readonly resolvedIn: ReadonlyMap<string, readonly ResolvedIn[]>
  readonly fields: readonly Field[]
  readonly requirements: Map<string, readonly Field[]>
  /** The streamed lists around it, outermost first. */
  readonly lists: readonly string[]
}

/** A subgraph that can resolve a field, with its own types for the objects. */
export interface Candidate {
  readonly graph: number
  readonly views: ReadonlyMap<string, SubgraphType>
}

/** A selected field, for some object types and under some conditions. */
export interface Field {
  readonly id: number
  readonly at: Position
  /** The response key. */
  readonly key: string
  readonly name: string
  readonly arguments: readonly ArgumentNode[]
  /** Name and arguments. Fields with equal signatures have the same value. */
  readonly signature: string
  /** Executable directives of the field and of the fragments around it. */
  readonly directives: string
  readonly wraps: readonly string[]
  readonly types: TypeSet
  readonly when: Conjunction
  /** Its place in the document. Negative for fields that only a key or `@requires` needs. */
  readonly order: number
  readonly below: Position | undefined
  readonly candidates: readonly Candidate[]
  /** The name of the streamed list, if the field is one. */
  readonly list: string | undefined
}
