/**
 * The calls that each field costs. They are computed from the operations of the service: the ones that its client
 * sends, with the same bounds that its connections and lookups keep.
 */
import type {
  Ask,
  FieldArguments,
  ListCalls,
  LookupCalls,
  PlainCalls,
  SelectedNames,
  ServiceOperation,
} from '../../shared/service-calls.ts'
import { type ConnectionArgs, connectionBounds } from './pagination/index.ts'

const plainAsk: readonly Ask[] = [{ group: '', names: [] }]

interface LookupOptions {
  readonly keys?: string | undefined
  readonly ofList?: boolean | undefined
  /**
   * Fields that need no lookup: selecting only these makes no call. If the set is empty, every selection makes
   * one.
   */
  readonly free?: ReadonlySet<string> | undefined
  readonly asks?: LookupCalls['asks'] | undefined
  readonly callsFor?: LookupCalls['callsFor']
}

/**
 * A field or an entity that is looked up by id. It costs a call for every `maxIds` ids of the operation, or for
 * every id if the operation has no `maxIds`.
 */
export function lookupCalls(operation: ServiceOperation, options: LookupOptions = {}): LookupCalls {
  const { free, asks = () => plainAsk, ...rest } = options
  return {
    kind: 'lookup',
    operation,
    maxKeys: operation.maxIds ?? 1,
    ...rest,
    asks: (selected) => (free !== undefined && !hasBeside(selected, free) ? [] : asks(selected)),
  }
}

/**
 * A field that is a connection. It costs one call for each page that its arguments select. Throws an Error if the
 * operation has no `pages`.
 */
export function listCalls(
  operation: ServiceOperation,
  options: { readonly asks?: ListCalls['asks']; readonly itemLookup?: LookupCalls } = {},
): ListCalls {
  const { pages } = operation
  if (pages === undefined) throw new Error(`${operation.name} has no pages`)
  return {
    kind: 'list',
    operation,
    most: (args) => connectionBounds(pagingOf(args), pages),
    asks: options.asks ?? (() => plainAsk),
    itemLookup: options.itemLookup,
  }
}

/** A field that always makes the same calls. */
export function plainCalls(...operations: readonly ServiceOperation[]): PlainCalls {
  return { kind: 'plain', reads: [], calls: () => operations }
}

export function hasBeside(selected: SelectedNames, free: ReadonlySet<string>): boolean {
  for (const name of selected) if (name !== '__typename' && !free.has(name)) return true
  return false
}

function pagingOf(args: FieldArguments): ConnectionArgs {
  const count = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  const cursor = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    first: count(args.first),
    after: cursor(args.after),
    last: count(args.last),
    before: cursor(args.before),
  }
}
