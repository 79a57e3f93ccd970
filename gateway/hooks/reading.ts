/** Reads what hooks return. The compiler does not check it, so each part is checked before it is used. */
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import { isObject } from '../../shared/json/is-object.ts'
import {
  isHeaderName,
  isHeaderValue,
  isHopByHop,
  isOwnOfRequests,
  isOwnOfResponses,
} from '../headers/index.ts'
import type { HookAnswer, HookError, HookHeaders } from './define.ts'

/** A hook ended the request, or a fetch. */
export class HookRefusal {
  readonly error: GraphQLError
  /** Names and values in turn. */
  readonly head: readonly string[]

  constructor(error: GraphQLError, head: readonly string[] = []) {
    this.error = error
    this.head = head
  }
}

/** A hook returned something invalid: the message names the key, and no value. */
export class HookMistake extends Error {
  override readonly name = 'HookMistake'
}

type Json = Readonly<Record<string, unknown>>

/**
 * The change that a hook returned; undefined if there is none. A misspelt name would change nothing, and let pass what the
 * hook was to remove. What a hook returns of its event as it was is no change either, so that it may return
 * `{ ...event, variables }`.
 */
export function changeOf(
  returned: unknown,
  known: readonly string[],
  event: object,
): Json | HookRefusal | undefined {
  if (returned === undefined || returned === null) return undefined
  if (!isObject(returned)) throw new HookMistake('returned something other than an object')
  if ('refuse' in returned) return refusalOf(returned.refuse)
  const isKnown = (name: string): boolean => known.includes(name) || returned[name] === (event as Json)[name]
  const unknown = Object.keys(returned).find((name) => !isKnown(name))
  if (unknown === undefined) return returned
  throw new HookMistake(
    `returned ${unknown.slice(0, longestName)}, which is not known here: expected ${[...known, 'refuse'].join(', ')}`,
  )
}

const longestName = 100

const codeForm = /^[A-Z][A-Z0-9_]{0,99}$/

function refusalOf(value: unknown): HookRefusal {
  const { message, code = 'FORBIDDEN', status = 403, extensions, headers } = recordOf(value, 'refuse')
  if (typeof message !== 'string') throw new HookMistake('refuse.message is not a string')
  if (typeof code !== 'string' || !codeForm.test(code))
    throw new HookMistake('refuse.code is not a valid code')
  if (!isStatus(status)) throw new HookMistake('refuse.status is not from 400 to 599')
  const more = extensions === undefined ? {} : jsonOf(extensions, 'refuse.extensions')
  const error = tesseraError('FORBIDDEN', message, { status, extensions: { ...more, code } })
  return new HookRefusal(error, answerHead(headers, 'refuse.headers'))
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599

/** A `Headers`, a `Map` and the like are refused: none of their entries is a property. */
export function recordOf(value: unknown, what: string): Json {
  if (!isObject(value) || Symbol.iterator in value) throw new HookMistake(`${what} is not a plain object`)
  return value
}

/** An object that is written as JSON later, when nothing can be refused any more. */
export function jsonOf(value: unknown, what: string): Json {
  const record = recordOf(value, what)
  try {
    JSON.stringify(record)
  } catch {
    throw new HookMistake(`${what} cannot be written as JSON`)
  }
  return record
}

/** The most headers that a hook may return, and the most characters of them. Most clients and servers read 16 KiB. */
const mostHeaders = 100
const mostHeaderCharacters = 16_384

/** Names in lower case, and values that are not checked yet. */
function namedHeaders(value: unknown, what: string): (readonly [name: string, text: unknown])[] {
  if (value === undefined) return []
  const all = Object.entries(recordOf(value, what))
  if (all.length > mostHeaders) throw new HookMistake(`${what} has more than ${mostHeaders} headers`)
  let characters = 0
  return all.map(([key, text]) => {
    const name = key.toLowerCase()
    if (!isHeaderName(name)) throw new HookMistake(`${what} has an invalid name`)
    characters += name.length + (typeof text === 'string' ? text.length : 0)
    if (characters > mostHeaderCharacters)
      throw new HookMistake(`${what} has more than ${mostHeaderCharacters} characters`)
    return [name, text]
  })
}

function headersOf(value: unknown, what: string, isOwn: (name: string) => boolean): [string, string][] {
  return namedHeaders(value, what).map(([name, text]) => {
    if (isHopByHop(name) || isOwn(name)) throw new HookMistake(`${what}: the gateway writes ${name} itself`)
    if (typeof text !== 'string' || !isHeaderValue(text))
      throw new HookMistake(`${what}: the value of ${name} is not valid in a header`)
    return [name, text]
  })
}

/** Headers of a response: names and values in turn. */
export function answerHead(value: unknown, what = 'headers'): string[] {
  return headersOf(value, what, isOwnOfResponses).flat()
}

/** Headers for a subgraph, with lower-case names. */
export function requestHeaders(value: unknown): HookHeaders | undefined {
  return value === undefined ? undefined : Object.fromEntries(headersOf(value, 'headers', isOwnOfRequests))
}

/** Headers that are set, or removed by null. */
export function headerChanges(value: unknown): ReadonlyMap<string, string | undefined> {
  const changes = new Map<string, string | undefined>()
  for (const [name, text] of namedHeaders(value, 'headers')) {
    if (text !== null && (typeof text !== 'string' || !isHeaderValue(text)))
      throw new HookMistake(`headers: the value of ${name} is not valid in a header`)
    changes.set(name, text ?? undefined)
  }
  return changes
}

export function textsOf(value: unknown, what: string): string[] {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value))
    throw new HookMistake(`${what} is not a list`)
  const texts = [...(value as Iterable<unknown>)]
  if (!texts.every((text) => typeof text === 'string'))
    throw new HookMistake(`${what} has an item that is not a string`)
  return texts
}

/** The most errors that a hook may return. */
const mostErrors = 1000

export function errorsOf(value: unknown, what: string): readonly HookError[] {
  if (!Array.isArray(value)) throw new HookMistake(`${what} is not a list`)
  return value.slice(0, mostErrors).map((each: unknown): HookError => {
    const { message, path, extensions } = recordOf(each, what)
    if (typeof message !== 'string') throw new HookMistake(`${what} has one without a message`)
    if (path !== undefined && !isPath(path)) throw new HookMistake(`${what} has an invalid path`)
    const { code = 'INTERNAL_SERVER_ERROR', ...more } =
      extensions === undefined ? {} : jsonOf(extensions, `${what}.extensions`)
    return {
      message,
      ...(path === undefined ? {} : { path: path as readonly (string | number)[] }),
      extensions: { ...more, code: String(code) },
    }
  })
}

const isPath = (value: unknown): boolean =>
  Array.isArray(value) && value.every((step) => typeof step === 'string' || typeof step === 'number')

export function answerOf(value: unknown): HookAnswer {
  const { data, errors } = recordOf(value, 'answer')
  if (data === undefined && errors === undefined) throw new HookMistake('answer has no data and no errors')
  return {
    data: data == null ? data : jsonOf(data, 'answer.data'),
    ...(errors === undefined ? {} : { errors: errorsOf(errors, 'answer.errors') }),
  }
}

export function graphqlErrorOf({ message, path, extensions }: HookError): GraphQLError {
  return new GraphQLError(message, {
    ...(path === undefined ? {} : { path }),
    ...(extensions === undefined ? {} : { extensions }),
  })
}
