/**
 * Assembles a response from its payloads, in the specification's form (`pending`, `incremental`, `completed`), and
 * records which part came when. Pure.
 */
import { isObject } from '../../../shared/json/is-object.ts'
import { type Json, objectOf, objectsIn, textOf } from '../json.ts'

export type Path = readonly (string | number)[]

/** A part of a response, for display. */
export interface ResponsePart {
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
  readonly added: readonly Path[]
}

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
  readonly extensions?: unknown
}

export interface AssembledResponse {
  /** The response so far. */
  readonly answer: Answer
  /** The newest parts, in order of arrival. */
  readonly parts: readonly ResponsePart[]
  /** How many parts have arrived, including those that are not stored any more. */
  readonly total: number
  readonly isOver: boolean
}

/** The most parts in the list, because a streamed list may have thousands. */
const mostParts = 500

type Writable = Record<string | number, unknown>

const anyIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const pathOf = (value: unknown): Path => anyIn(value) as Path

export class ResponseAssembler {
  readonly #pending = new Map<string, { readonly path: Path; readonly label: string | undefined }>()
  #data: unknown
  #errors: readonly unknown[] = []
  #extensions: Json = {}
  #parts: readonly ResponsePart[] = []
  #total = 0

  add(payload: unknown, milliseconds: number): AssembledResponse {
    const { data, errors, extensions, pending, incremental, completed, hasNext } = objectOf(payload)
    if (this.#total === 0) {
      this.#data = data
      const count = Object.keys(objectOf(data)).length
      this.#put({ kind: 'first', path: [], label: undefined, count, milliseconds, added: [] })
    }
    this.#errors = [...this.#errors, ...anyIn(errors)]
    this.#extensions = { ...this.#extensions, ...objectOf(extensions) }
    for (const { id, path, label } of objectsIn(pending))
      this.#pending.set(String(id), { path: pathOf(path), label: textOf(label) })
    for (const one of objectsIn(incremental)) this.#apply(one, milliseconds)
    for (const { id, errors: faults } of objectsIn(completed)) {
      const { path = [], label } = this.#pending.get(String(id)) ?? {}
      this.#pending.delete(String(id))
      if (!Array.isArray(faults)) continue
      this.#errors = [...this.#errors, ...anyIn(faults)]
      this.#put({ kind: 'failed', path, label, count: 0, milliseconds, added: [] })
    }
    return {
      answer: {
        ...(this.#data === undefined ? {} : { data: this.#data }),
        ...(this.#errors.length === 0 ? {} : { errors: this.#errors }),
        ...(Object.keys(this.#extensions).length === 0 ? {} : { extensions: this.#extensions }),
      },
      parts: this.#parts,
      total: this.#total,
      isOver: hasNext !== true,
    }
  }

  #put(part: Omit<ResponsePart, 'number'>): void {
    this.#total += 1
    this.#parts = [...this.#parts, { ...part, number: this.#total }].slice(-mostParts)
  }

  #apply({ id, subPath, errors, items, data }: Json, milliseconds: number): void {
    const { path: base = [], label } = this.#pending.get(String(id)) ?? {}
    const path = [...base, ...pathOf(subPath)]
    this.#errors = [...this.#errors, ...anyIn(errors)]
    const target = at(this.#data, path)
    if (Array.isArray(items)) {
      if (!Array.isArray(target)) return
      const added = items.map((_, index): Path => [...path, target.length + index])
      for (const item of items as unknown[]) target.push(item)
      this.#put({ kind: 'items', path, label, count: items.length, milliseconds, added })
    } else if (isObject(data) && isObject(target)) {
      const added = merge(target, data, path)
      this.#put({ kind: 'fields', path, label, count: added.length, milliseconds, added })
    }
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

/** Adds what is missing, also within nested objects and lists. Returns the places of what was added. */
function merge(target: Json | unknown[], added: Json | readonly unknown[], path: Path): Path[] {
  const isList = Array.isArray(target)
  const into = target as Writable
  return (
    Object.entries(added)
      // It would reach the prototype of the object.
      .filter(([key]) => key !== '__proto__')
      .flatMap(([key, value]): readonly Path[] => {
        const place = [...path, isList ? Number(key) : key]
        const known = Object.hasOwn(target, key) ? into[key] : undefined
        if ((isObject(known) && isObject(value)) || (Array.isArray(known) && Array.isArray(value)))
          return merge(known, value, place)
        into[key] = value
        return [place]
      })
  )
}
