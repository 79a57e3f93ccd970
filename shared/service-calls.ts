/**
 * What the fields of a service cost in upstream calls, as each service describes it from its own operations. The
 * gateway estimates an operation from this and knows no service. Fields that are not described make no call.
 */

/** The bucket of calls that are paid in the units of the metered service. */
export const unitsBucket = 'units'

/** One operation of a service: what its client sends, and what the provider charges. */
export interface ServiceOperation {
  /** 'videos.list': for metrics, logs and prices. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL, with names in braces for what is filled in: '/2/tweets/{id}/liking_users'. */
  readonly path: string
  /** A read, which may be repeated. */
  readonly safe: boolean
  /** Whether its answers may be kept and shared. */
  readonly cacheable?: boolean | undefined
  /** What a call costs in the provider's units; nothing by default. */
  readonly units?: number | undefined
  /** The allowance that calls take from, where several operations share one; one of its own by default. */
  readonly bucket?: string | undefined
  /** The most ids of a call that looks objects up. */
  readonly maxIds?: number | undefined
  /** The bounds of a page, for lists. */
  readonly pages?: PageBounds | undefined
}

/** How many items the pages of a list have. */
export interface PageBounds {
  /** The most items that the service gives in one page. */
  readonly maxPageSize: number
  /** How many items are read if the caller names no number. */
  readonly defaultPageSize: number
}

export type FieldArguments = Readonly<Record<string, unknown>>

/** The names of the fields that are selected of a type. */
export type SelectedNames = ReadonlySet<string>

/** What one call asks for. Look-ups of different groups never share a call. */
export interface Ask {
  readonly group: string
  /** What is asked for, in the service's words: parts of a resource, fields. */
  readonly names: readonly string[]
}

/** A look-up by key: all of one moment and one group share calls. */
export interface LookupCalls {
  readonly kind: 'lookup'
  readonly operation: ServiceOperation
  /** The most keys of one call. */
  readonly maxKeys: number
  /** The argument that lists the keys; one key by default. */
  readonly keys?: string | undefined
  /** The object is the one that its list belongs to: the items of one list look up one object together. */
  readonly ofList?: boolean | undefined
  /** What is asked for if these fields are selected; nothing if that needs no call. */
  asks(selected: SelectedNames): readonly Ask[]
  /** How many calls look these keys up, if it is not one for every `maxKeys`. */
  readonly callsFor?: ((keys: readonly string[]) => number) | undefined
}

/** A paged list: a call for every page. */
export interface ListCalls {
  readonly kind: 'list'
  readonly operation: ServiceOperation
  /** How many items, and how many calls, the arguments ask for at most; none if they will be refused. */
  most(args: FieldArguments): { readonly items: number; readonly calls: number }
  /** What is asked for if these fields of the items are selected: first the list's own, then look-ups beside it. */
  asks(selected: SelectedNames): readonly Ask[]
  /** How the items are looked up for what the list itself is not asked for. */
  readonly beside?: LookupCalls | undefined
}

/** Calls of a field that are made one by one, such as a write and what is read before and after it. */
export interface PlainCalls {
  readonly kind: 'plain'
  /** The arguments that decide. */
  readonly reads: readonly string[]
  /** `below` names what is selected of the field, or of a field of its result. */
  calls(args: FieldArguments, below: (field?: string) => SelectedNames): readonly ServiceOperation[]
}

/** What one field costs in calls: a look-up, a list, or calls one by one. */
export type FieldCalls = LookupCalls | ListCalls | PlainCalls

/** A field of `Subscription` that is polled for: what one poll costs, which its events do not. */
export interface PolledField {
  readonly calls: FieldCalls
  /** The interval where no client, service or budget makes it another one. */
  readonly everySeconds: number
}

/** What the fields and entities of a service cost; estimates and `Tessera-Explain` are computed from it. */
export interface ServiceCalls {
  readonly service: string
  /** By `Type.field`. */
  readonly fields: Readonly<Record<string, FieldCalls>>
  /** By type: what an object costs that is looked up by its id, as `node` and other subgraphs do. */
  readonly entities: Readonly<Record<string, LookupCalls>>
  /** By the name of the field of `Subscription`. */
  readonly polls?: Readonly<Record<string, PolledField>> | undefined
  /** What calls ask for, as the service would read it. */
  printAsk?(names: readonly string[]): string
}
