/**
 * Responses as gateways send them: whole, incremental (`multipart/mixed`, in the format of 2022 or the
 * current one), or as the events of a subscription (GraphQL over server-sent events, Apollo's multipart protocol).
 */
import type { Json, Road } from './types.ts'

interface Result {
  readonly data?: Json
  readonly errors?: readonly Json[]
}

export interface Answer {
  readonly status: number
  /** The whole response text, unchanged. */
  readonly text: string
  /** Undefined if it is not a JSON object. */
  readonly json: { readonly data?: Json; readonly errors?: unknown } | undefined
}

type JsonObject = { readonly [key: string]: Json }
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The `Accept` header of a client on this road. */
export function acceptedOn(road: Road): string {
  if (road === 'deferred')
    return 'multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824;q=0.9, application/json;q=0.8'
  if (road === 'live')
    return 'text/event-stream, multipart/mixed;subscriptionSpec="1.0";q=0.9, application/json;q=0.8'
  return 'application/json'
}

function objectFrom(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** The bodies of the parts, in order. Parts without a body are left out. */
function partsOf(text: string, contentType: string): readonly JsonObject[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = `--${quoted ?? plain ?? '-'}`
  return text
    .split(boundary)
    .slice(1)
    .flatMap<JsonObject>((part) => objectFrom(part.slice(part.search(/\r?\n\r?\n/)).trim()) ?? [])
}

/** The data of each `next`, in order. */
function eventsOf(text: string): readonly JsonObject[] {
  return text.split(/\r?\n\r?\n/).flatMap<JsonObject>((block) => {
    const lines = block.split(/\r?\n/)
    const name = lines
      .find((line) => line.startsWith('event:'))
      ?.slice(6)
      .trim()
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim())
    return name === 'next' ? (objectFrom(data.join('\n')) ?? []) : []
  })
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []
const pathOf = (value: Json | undefined): readonly (string | number)[] =>
  Array.isArray(value) ? value.filter((key) => typeof key === 'string' || typeof key === 'number') : []

/** Merges the payloads, so that the result is that of a whole response. */
export function merged(payloads: readonly JsonObject[]): Result {
  const root: { data: Json } = { data: structuredClone(payloads[0]?.data ?? null) }
  const errors: Json[] = []
  const paths = new Map<Json | undefined, readonly (string | number)[]>()

  function put(path: readonly (string | number)[], value: Json): void {
    let holder: unknown = root
    for (const key of ['data', ...path])
      holder = holder === null || holder === undefined ? undefined : (holder as Record<string, unknown>)[key]
    if (isObject(holder) && isObject(value)) putAll(holder as { [key: string]: Json }, value)
  }

  for (const payload of payloads) {
    errors.push(...listOf(payload.errors))
    for (const { id, path } of listOf(payload.pending)) paths.set(id, pathOf(path))
    for (const part of listOf(payload.incremental)) {
      errors.push(...listOf(part.errors))
      put([...(paths.get(part.id) ?? pathOf(part.path)), ...pathOf(part.subPath)], part.data ?? null)
    }
    for (const part of listOf(payload.completed)) errors.push(...listOf(part.errors))
  }
  return errors.length === 0 ? root : { ...root, errors }
}

/** Objects of two payloads are merged field by field, and items of lists by position. */
function putAll(into: { [key: string]: Json }, from: JsonObject): void {
  for (const [key, value] of Object.entries(from)) {
    const held = Object.hasOwn(into, key) ? into[key] : undefined
    if (isObject(held) && isObject(value)) putAll(held as { [key: string]: Json }, value)
    else if (Array.isArray(held) && Array.isArray(value))
      for (const [at, item] of value.entries()) {
        const one: unknown = held[at]
        if (isObject(one) && isObject(item)) putAll(one as { [key: string]: Json }, item)
      }
    else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
  }
}

/** One response, or one for each event of a subscription. */
export function answersFrom(
  status: number,
  contentType: string,
  text: string,
  road: Road,
): readonly Answer[] {
  const payloads = /^multipart\/mixed/i.test(contentType)
    ? partsOf(text, contentType)
    : /^text\/event-stream/i.test(contentType)
      ? eventsOf(text)
      : undefined
  if (payloads === undefined || payloads.length === 0) return [{ status, text, json: objectFrom(text) }]
  if (road !== 'live') return [{ status, text, json: merged(payloads) }]
  // Apollo's protocol wraps events, sends `{}` as a heartbeat, and has transport errors beside `payload`.
  const events = payloads.flatMap<JsonObject>((payload) => {
    if (isObject(payload.payload)) return payload.payload
    return 'data' in payload || 'errors' in payload ? payload : []
  })
  return events.length === 0
    ? [{ status, text, json: undefined }]
    : events.map((json) => ({ status, text, json }))
}
