/**
 * Assembles a response from its pieces, in the specification's form (`pending`, `incremental`, `completed`), and
 * records which part came when. Pure.
 */
import { isObject, type Json } from '../json.ts'

export type Path = readonly (string | number)[]

/** One piece of a response, for display. */
export interface Piece {
  /** Counts from 1. */
  readonly number: number
  readonly kind: 'first' | 'fields' | 'items' | 'failed'
  /** Its place. For items it is the list to which they were added. */
  readonly path: Path
  readonly label: string | undefined
  /** How many fields or items it has. */
  readonly count: number
  /** The time since the operation was sent. */
  readonly milliseconds: number
  /** The parts of the response that it added. */
  readonly places: readonly Path[]
}

export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
  readonly extensions?: unknown
}

export interface Assembly {
  /** The response so far. */
  readonly answer: Answer
  /** The newest pieces, in order of arrival. */
  readonly pieces: readonly Piece[]
  /** How many pieces have arrived, including those that are not stored any more. */
  readonly total: number
  readonly isOver: boolean
}

export interface Assembler {
  /** Adds the next payload. */
  add(payload: unknown, milliseconds: number): Assembly
}

/** The most pieces in the list, because a streamed list may have thousands. */
const mostPieces = 500

type Writable = Record<string | number, unknown>

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const pathOf = (value: unknown): Path => (Array.isArray(value) ? (value as Path) : [])
/** A key that would reach the prototype of an object is ignored. */
const isOwn = (key: string): boolean => key !== '__proto__'

export function createAssembler(): Assembler {
  const pending = new Map<string, { readonly path: Path; readonly label: string | undefined }>()
  let data: unknown
  let errors: readonly unknown[] = []
  let extensions: Json = {}
  let hasFirst = false
  let pieces: readonly Piece[] = []
  let total = 0

  const put = (piece: Omit<Piece, 'number'>): void => {
    total += 1
    pieces = [...pieces, { ...piece, number: total }].slice(-mostPieces)
  }

  function apply(one: Json, milliseconds: number): void {
    const { path: base = [], label } = pending.get(String(one.id)) ?? {}
    const path = [...base, ...pathOf(one.subPath)]
    if (Array.isArray(one.errors)) errors = [...errors, ...(one.errors as unknown[])]
    const target = at(data, path)
    if (Array.isArray(one.items)) {
      const items = one.items as unknown[]
      if (!Array.isArray(target)) return
      const from = target.length
      for (const item of items) target.push(item)
      const places = items.map((_, index): Path => [...path, from + index])
      put({ kind: 'items', path, label, count: items.length, milliseconds, places })
    } else if (isObject(one.data) && isObject(target)) {
      const places = merge(target, one.data, path)
      put({ kind: 'fields', path, label, count: places.length, milliseconds, places })
    }
  }

  return {
    add(payload, milliseconds) {
      const message = isObject(payload) ? payload : {}
      if (!hasFirst) {
        hasFirst = true
        data = message.data
        const count = isObject(data) ? Object.keys(data).length : 0
        put({ kind: 'first', path: [], label: undefined, count, milliseconds, places: [] })
      }
      if (Array.isArray(message.errors)) errors = [...errors, ...(message.errors as unknown[])]
      if (isObject(message.extensions)) extensions = { ...extensions, ...message.extensions }
      for (const { id, path, label } of listOf(message.pending))
        pending.set(String(id), { path: pathOf(path), label: typeof label === 'string' ? label : undefined })
      for (const one of listOf(message.incremental)) apply(one, milliseconds)
      for (const { id, errors: faults } of listOf(message.completed)) {
        const { path = [], label } = pending.get(String(id)) ?? {}
        pending.delete(String(id))
        if (!Array.isArray(faults)) continue
        errors = [...errors, ...(faults as unknown[])]
        put({ kind: 'failed', path, label, count: 0, milliseconds, places: [] })
      }
      return {
        answer: {
          ...(data === undefined ? {} : { data }),
          ...(errors.length === 0 ? {} : { errors }),
          ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
        },
        pieces,
        total,
        isOver: message.hasNext !== true,
      }
    },
  }
}

function at(data: unknown, path: Path): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Writable)[key]
  }
  return value
}

/** Adds what is missing, also within nested objects. Returns the places of what was added. */
function merge(target: Json, added: Json, path: Path): Path[] {
  return Object.entries(added)
    .filter(([key]) => isOwn(key))
    .flatMap(([key, value]): readonly Path[] => {
      const known = Object.hasOwn(target, key) ? target[key] : undefined
      if (isObject(known) && isObject(value)) return merge(known, value, [...path, key])
      if (Array.isArray(known) && Array.isArray(value)) return mergeLists(known, value, [...path, key])
      ;(target as Writable)[key] = value
      return [[...path, key]]
    })
}

function mergeLists(target: unknown[], added: readonly unknown[], path: Path): Path[] {
  return added.flatMap((value, index): readonly Path[] => {
    const known = target[index]
    if (isObject(known) && isObject(value)) return merge(known, value, [...path, index])
    if (Array.isArray(known) && Array.isArray(value)) return mergeLists(known, value, [...path, index])
    target[index] = value
    return [[...path, index]]
  })
}
