/**
 * Descriptions of what fields cost in calls, made from the operations of a service: the same operations that its
 * client sends, and the same bounds that its connections and look-ups keep.
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
import { type ConnectionArgs, mostOf } from './pagination/index.ts'

const plainAsk: readonly Ask[] = [{ group: '', names: [] }]

interface LookupOptions {
  readonly keys?: string | undefined
  readonly ofList?: boolean | undefined
  /** Fields that need no look-up: a selection of nothing else makes no call. Empty: it always makes one. */
  readonly free?: ReadonlySet<string> | undefined
  readonly asks?: LookupCalls['asks'] | undefined
  readonly callsFor?: LookupCalls['callsFor']
}

/**
 * A field or an entity that is looked up by id: a call for every `maxIds` of the operation, one id a call where it
 * has none.
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
 * A field that is a connection: a call a page, of as many pages as its arguments select. Throws an Error if the
 * operation has no `pages`.
 */
export function listCalls(
  operation: ServiceOperation,
  options: { readonly asks?: ListCalls['asks']; readonly beside?: LookupCalls } = {},
): ListCalls {
  const { pages } = operation
  if (pages === undefined) throw new Error(`${operation.name} has no pages`)
  return {
    kind: 'list',
    operation,
    most: (args) => mostOf(pagingOf(args), pages),
    asks: options.asks ?? (() => plainAsk),
    beside: options.beside,
  }
}

/** The same calls each time. */
export function plainCalls(...operations: readonly ServiceOperation[]): PlainCalls {
  return { kind: 'plain', reads: [], calls: () => operations }
}

/** Whether anything but these fields is selected. */
export function hasBeside(selected: SelectedNames, free: ReadonlySet<string>): boolean {
  for (const name of selected) if (name !== '__typename' && !free.has(name)) return true
  return false
}

/** The paging arguments among a field's arguments. */
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
