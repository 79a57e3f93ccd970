/** Writes the updates of a response in the formats that clients read. */
import type { GraphQLError } from 'graphql'
import type {
  ExecutionUpdate,
  IncrementalResult,
  PendingResult,
} from '../../../engine/executor/incremental/index.ts'
import { isObject } from '../../../shared/json/is-object.ts'
import type { Dialect } from './accept.ts'

type Payload = Readonly<Record<string, unknown>>

export interface InitialResult {
  readonly data?: unknown
  readonly errors?: readonly GraphQLError[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** Writes one response: the first payload, then each update as one payload or several. */
interface PayloadWriter {
  first(part: InitialResult, pending: readonly PendingResult[]): Payload
  update(update: ExecutionUpdate, extensions?: Readonly<Record<string, unknown>>): readonly Payload[]
}

export function createPayloadWriter(dialect: Dialect): PayloadWriter {
  switch (dialect) {
    case 'v0.2':
      return current
    case '20220824':
      return of2022
    case 'relay':
      return createFlat()
  }
}

const some = <Key extends string>(name: Key, list: readonly unknown[] | undefined): Payload =>
  list === undefined || list.length === 0 ? {} : { [name]: list }

const labelled = ({ label }: PendingResult): Payload => (label === undefined ? {} : { label })
const told = (pending: readonly PendingResult[]): readonly Payload[] =>
  pending.map((each) => ({ id: each.id, path: each.path, ...labelled(each) }))
const extending = (extensions: Readonly<Record<string, unknown>> | undefined): Payload =>
  extensions === undefined ? {} : { extensions }

const current: PayloadWriter = {
  first: ({ data, errors, extensions }, pending) => ({
    ...some('errors', errors),
    ...extending(extensions),
    data: data ?? null,
    pending: told(pending),
    hasNext: true,
  }),
  update: ({ pending, incremental, completed, hasNext }, extensions) => [
    {
      ...some('pending', told(pending)),
      ...some('incremental', incremental.map(currentResult)),
      ...some(
        'completed',
        completed.map(({ of, errors }) => ({ id: of.id, ...some('errors', errors) })),
      ),
      hasNext,
      ...extending(extensions),
    },
  ],
}

function currentResult(result: IncrementalResult): Payload {
  const { of, errors } = result
  if (result.kind === 'items') return { id: of.id, items: result.items, ...some('errors', errors) }
  const subPath = result.path.slice(of.path.length)
  return { id: of.id, ...some('subPath', subPath), data: result.data, ...some('errors', errors) }
}

const of2022: PayloadWriter = {
  first: ({ data, errors, extensions }) => ({
    data: data ?? null,
    ...some('errors', errors),
    ...extending(extensions),
    hasNext: true,
  }),
  update: ({ incremental, completed, hasNext }, extensions) => {
    const payloads = [
      ...incremental.map(
        (result): Payload => ({
          ...(result.kind === 'data'
            ? { data: result.data, path: result.path }
            : { items: result.items, path: [...result.of.path, result.index] }),
          ...labelled(result.of),
          ...some('errors', result.errors),
        }),
      ),
      ...completed.flatMap(({ of, errors }): Payload[] => {
        if (errors === undefined) {
          // A fragment whose fields all came with others is reported as complete.
          if (of.kind === 'stream' || incremental.some((result) => result.of === of)) return []
          return [{ data: {}, path: of.path, ...labelled(of) }]
        }
        const nothing = of.kind === 'stream' ? { items: null } : { data: null }
        return [{ ...nothing, path: of.path, ...labelled(of), ...some('errors', errors) }]
      }),
    ]
    return [{ hasNext, ...some('incremental', payloads), ...extending(extensions) }]
  },
}

/**
 * Relay's format: each fragment and each item by itself, with its label and its path. Relay reads a payload like the
 * whole fragment. The values of objects on the path to something new are therefore repeated, because Relay finds
 * objects by their types and ids.
 */
function createFlat(): PayloadWriter {
  let data: unknown = null
  return {
    first({ data: first, errors, extensions }) {
      data = structuredPlain(first ?? null)
      return {
        data: first ?? null,
        ...some('errors', errors),
        extensions: { ...extensions, is_final: false },
      }
    },
    update({ incremental, completed, hasNext }, extensions) {
      const changes: Changes = { fresh: new Set(), touched: new Set() }
      const payloads: (Payload & Pick<PendingResult, 'path'>)[] = []
      for (const result of incremental) {
        const target = at(data, result.kind === 'data' ? result.path : result.of.path)
        if (result.kind === 'items') {
          if (!Array.isArray(target)) continue
          for (const [index, item] of result.items.entries()) {
            target.push(structuredPlain(item))
            payloads.push({
              data: item,
              path: [...result.of.path, result.index + index],
              ...labelled(result.of),
              ...(index === 0 ? some('errors', result.errors) : {}),
            })
          }
        } else if (isPlainObject(target)) merge(target, result.data, changes)
      }
      for (const { of, errors } of completed) {
        if (of.kind === 'stream') {
          if (errors !== undefined)
            payloads.push({ data: null, path: of.path, ...labelled(of), ...some('errors', errors) })
          continue
        }
        const own = incremental.filter((result) => result.of === of)
        const value = at(data, of.path)
        payloads.push({
          data: errors === undefined ? onTheWay(value, changes) : null,
          path: of.path,
          ...labelled(of),
          ...some('errors', [...own.flatMap((result) => result.errors), ...(errors ?? [])]),
        })
      }
      // What lies deeper is in what comes first: an item in the list of a fragment, and a fragment in an item.
      payloads.sort((one, other) => one.path.length - other.path.length)
      return payloads.map((payload, index) => ({
        ...payload,
        extensions: { ...extensions, is_final: !hasNext && index === payloads.length - 1 },
      }))
    },
  }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !('toJSON' in value)

function at(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** A copy whose objects and lists can be extended; everything else is shared. */
function structuredPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredPlain)
  if (!isPlainObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, each] of Object.entries(value)) copy[key] = structuredPlain(each)
  return copy
}

/** The content of an update: new objects and lists, and objects with new fields. */
interface Changes {
  readonly fresh: Set<unknown>
  readonly touched: Set<unknown>
}

function merge(
  target: Record<string, unknown>,
  source: Readonly<Record<string, unknown>>,
  changes: Changes,
): void {
  changes.touched.add(target)
  for (const [key, value] of Object.entries(source)) {
    const present = target[key]
    if (isPlainObject(present) && isPlainObject(value)) merge(present, value, changes)
    else {
      target[key] = structuredPlain(value)
      changes.fresh.add(target[key])
    }
  }
}

/** What is new, with the values of the objects on the path to it. */
function onTheWay(value: unknown, changes: Changes): unknown {
  if (Array.isArray(value)) return value.map((item) => onTheWay(item, changes))
  if (!isPlainObject(value)) return value
  const left: Record<string, unknown> = Object.create(null)
  for (const [key, each] of Object.entries(value)) {
    const isValue = typeof each !== 'object' || each === null || changes.fresh.has(each)
    if (isValue) left[key] = each
    else if (leadsTo(each, changes)) left[key] = onTheWay(each, changes)
  }
  return left
}

function leadsTo(value: unknown, changes: Changes): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (changes.fresh.has(value) || changes.touched.has(value)) return true
  return Object.values(value).some((each) => leadsTo(each, changes))
}
