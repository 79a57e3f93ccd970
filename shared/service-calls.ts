/**
 * The upstream calls of a service's fields, as each service describes them. The gateway estimates operations from
 * this and knows no service. Fields without a description make no call.
 */

/** The bucket of calls that are paid in units of the metered service. */
export const unitsBucket = 'units'

/** An operation of a service: the request, and its price. */
export interface ServiceOperation {
  /** The name for metrics, logs and prices, such as 'videos.list'. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the base URL, with placeholders in braces: '/2/tweets/{id}/liking_users'. */
  readonly path: string
  /** Whether it is a read, which may be repeated. Writes never are. */
  readonly safe: boolean
  /** Whether its responses may be cached, by credential, and shared. Only for GET. */
  readonly cacheable?: boolean | undefined
  /** The price of a call in the provider's units. Free by default. */
  readonly units?: number | undefined
  /** The quota that several operations share. By default each has its own. */
  readonly bucket?: string | undefined
  /** The most ids in a call that looks objects up. */
  readonly maxIds?: number | undefined
  /** The bounds of a page, for lists. */
  readonly pages?: PageBounds | undefined
}

/** The page sizes of a list. */
export interface PageBounds {
  /** The most items of a page. */
  readonly maxPageSize: number
  /** The number of items if the caller gives none. */
  readonly defaultPageSize: number
}

export type FieldArguments = Readonly<Record<string, unknown>>

/** The names of the selected fields of a type. */
export type SelectedNames = ReadonlySet<string>

/** What one call requests. Lookups of different groups never share a call. */
export interface Ask {
  readonly group: string
  /** The requested parts or fields, in the service's words. */
  readonly names: readonly string[]
}

/** A lookup by key. Lookups of one moment and group share calls. */
export interface LookupCalls {
  readonly kind: 'lookup'
  readonly operation: ServiceOperation
  /** The most keys of one call. */
  readonly maxKeys: number
  /** The argument with the list of keys. One key by default. */
  readonly keys?: string | undefined
  /** Whether all items of a list look up the same object. */
  readonly ofList?: boolean | undefined
  /** What is requested if these fields are selected. Empty if that needs no call. */
  asks(selected: SelectedNames): readonly Ask[]
  /** The number of calls for these keys, if it is not one for every `maxKeys`. */
  readonly callsFor?: ((keys: readonly string[]) => number) | undefined
}

/** A paged list, with a call for every page. */
export interface ListCalls {
  readonly kind: 'list'
  readonly operation: ServiceOperation
  /** The most items and calls for the arguments. Zero if they will be refused. */
  most(args: FieldArguments): { readonly items: number; readonly calls: number }
  /** What is requested for these fields: first by the list itself, then by additional lookups. */
  asks(selected: SelectedNames): readonly Ask[]
  /** The lookup for item fields that the list does not return. */
  readonly itemLookup?: LookupCalls | undefined
}

/** Calls that a field makes one by one, such as a write with the reads before and after it. */
export interface PlainCalls {
  readonly kind: 'plain'
  /** The arguments that decide on the calls. */
  readonly reads: readonly string[]
  /** `below` returns the selected fields of the field, or of a field of its result. */
  calls(args: FieldArguments, below: (field?: string) => SelectedNames): readonly ServiceOperation[]
}

/** The calls of one field: a lookup, a list, or calls one by one. */
export type FieldCalls = LookupCalls | ListCalls | PlainCalls

/** A polled field of `Subscription`, with the price of a poll. Its events are free. */
interface PolledField {
  readonly calls: FieldCalls
  /** The interval, unless a client, service or budget changes it. */
  readonly everySeconds: number
}

/** The calls of a service's fields and entities, for estimates and `Tessera-Explain`. */
export interface ServiceCalls {
  readonly service: string
  /** By `Type.field`. */
  readonly fields: Readonly<Record<string, FieldCalls>>
  /** By type: the price of an object that is looked up by its id, by `node` and by other subgraphs. */
  readonly entities: Readonly<Record<string, LookupCalls>>
  /** By the name of the field of `Subscription`. */
  readonly polls?: Readonly<Record<string, PolledField>> | undefined
  /** Prints what calls request, in the service's format. */
  printAsk?(names: readonly string[]): string
}
