/**
 * What the fields of a service cost in upstream calls, as data: enough to say before an operation runs how
 * many calls it makes at most. Fields that are not named make none.
 */
import type { ConnectionArgs } from './connection.ts'

export type FieldArguments = Readonly<Record<string, unknown>>

/** A look-up by key: all of one moment share calls. */
export interface LookupCalls {
  readonly kind: 'lookup'
  readonly operation: string
  /** Keys a call takes. */
  readonly batch: number
  /** How many keys one field asks for; 1 unless said. */
  readonly keys?: ((args: FieldArguments) => number) | undefined
  /** Fields that need no look-up; a selection of nothing else costs nothing. Empty: it always costs. */
  readonly free?: ReadonlySet<string> | undefined
}

/** A paged list: a call for every page. */
export interface ListCalls {
  readonly kind: 'list'
  readonly operation: string
  readonly maxPageSize: number
  readonly defaultPageSize: number
}

/** A call each time, such as a write; perhaps several. */
export interface PlainCalls {
  readonly kind: 'plain'
  /** `below` names what is selected of a field of the result. */
  readonly calls: (args: FieldArguments, below: (field?: string) => ReadonlySet<string>) => readonly string[]
}

export type FieldCalls = LookupCalls | ListCalls | PlainCalls

export interface ServiceCalls {
  readonly service: string
  /** By `Type.field`. */
  readonly fields: Readonly<Record<string, FieldCalls>>
  /** By type: what an object costs that is looked up by its id, as `node` and other subgraphs do. */
  readonly entities: Readonly<Record<string, LookupCalls>>
  /** By field of such a type: a look-up of its own beside that of the object. */
  readonly apart: Readonly<Record<string, LookupCalls>>
  /** Units by operation; operations that are not named cost none. */
  readonly prices: Readonly<Record<string, number>>
  /** What a look-up of a type asks the service for, in its own words. */
  readonly asksFor?: ((type: string, selected: ReadonlySet<string>) => string) | undefined
}

/** The paging arguments among a field's arguments. */
export function pagingOf(args: FieldArguments): ConnectionArgs {
  const count = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  const cursor = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    first: count(args.first),
    after: cursor(args.after),
    last: count(args.last),
    before: cursor(args.before),
  }
}

/** The number of distinct keys in a list argument. */
export function distinct(value: unknown): number {
  return Array.isArray(value) ? new Set(value).size : 1
}
