/**
 * The envelope of every response: `status`, `data`, `errorType`, `error`, `warnings`, `infos`. It hides how the
 * text of a response is read. The text is parsed as a whole if typed data are selected. If only raw data are
 * selected, it is checked, and `data` is passed on unchanged.
 */

import type { GraphQLError } from 'graphql'
import { RawJson, splitJson } from '../../shared/json/raw.ts'
import { isObject, malformed, textOf } from '../kit/json.ts'
import type { ParseBody } from '../kit/rest-client/json.ts'
import { publicMessage } from '../kit/service-message.ts'
import { floatFrom, numberOr } from './values.ts'

export interface Envelope<Data = unknown> {
  readonly status: string
  readonly data: Data
  readonly errorType: string | undefined
  readonly error: string | undefined
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  /** How many pages a list has; undefined if its pages have no numbers (all but vmalert). */
  readonly totalPages: number | undefined
  /** The statistics of VictoriaMetrics, in the form of Prometheus, which has its own in `data`. */
  readonly stats: unknown
}

/** The warning for a result that the server marks as partial (`isPartial` of VictoriaMetrics). */
const partialWarning = 'The result is partial: a part of the storage did not respond.'

/** The text of a response. Each way of reading it runs once. */
interface ResponseBody {
  parsed(): Envelope
  /** Reads `data` as a `RawJson`; undefined if the text cannot be split. */
  split(): Envelope | undefined
}

export function badResponse(expected: string): GraphQLError {
  return malformed('metrics', `The metrics service did not answer ${expected}.`)
}

export function bodyFrom(body: Buffer, parseBody: ParseBody): ResponseBody {
  let parsed: Envelope | undefined
  let split: Envelope | undefined | null = null
  return {
    parsed() {
      parsed ??= parseEnvelope(body, parseBody)
      return parsed
    },
    split() {
      if (split === null) {
        const parts = splitJson(body, 'data')
        split = parts && envelopeOf((key) => parts.rest.get(key), parts.raw)
      }
      return split
    },
  }
}

/** The envelope of a parsed body; undefined if it is none. */
export function envelopeFrom(body: unknown): Envelope | undefined {
  if (!isObject(body) || typeof body.status !== 'string') return undefined
  return envelopeOf((key) => (Object.hasOwn(body, key) ? body[key] : undefined), body.data)
}

function parseEnvelope(body: Buffer, parseBody: ParseBody): Envelope {
  let value: unknown
  try {
    value = parseBody(body)
  } catch {
    throw badResponse('with the expected JSON')
  }
  const envelope = envelopeFrom(value)
  if (envelope === undefined) throw badResponse('with the envelope of its API')
  return envelope
}

function envelopeOf(read: (key: string) => unknown, data: unknown): Envelope {
  const status = read('status')
  if (typeof status !== 'string') throw badResponse('with the envelope of its API')
  return {
    status,
    data: status === 'success' || hasMembers(data) ? data : null,
    errorType: textOf(read('errorType')),
    error: textOf(read('error')),
    warnings:
      read('isPartial') === true ? [partialWarning, ...texts(read('warnings'))] : texts(read('warnings')),
    infos: texts(read('infos')),
    totalPages: numberOr(read('total_pages'), undefined),
    stats: statsFrom(read('stats')),
  }
}

function statsFrom(stats: unknown): unknown {
  if (!isObject(stats)) return undefined
  const { executionTimeMsec, seriesFetched } = stats
  const milliseconds = numberOr(executionTimeMsec, null)
  return {
    timings: { execTotalTime: milliseconds === null ? null : milliseconds / 1000 },
    // It is a text for historical reasons.
    samples: { seriesTouched: typeof seriesFetched === 'string' ? floatFrom(seriesFetched) : null },
  }
}

/** Servers that write `data` into every response leave it empty if a response with an error has none. */
function hasMembers(data: unknown): boolean {
  const value = data instanceof RawJson ? data.toJSON() : data
  return isObject(value) && Object.keys(value).length > 0
}

/** The most warnings or infos. Prometheus sends up to eleven. */
const mostNotes = 50

/** The service's warnings or infos, without addresses of the servers behind it. */
function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  const notes = value.slice(0, mostNotes).map(noteFrom)
  const left = value.length - notes.length
  return [...notes.filter((note) => note !== ''), ...(left > 0 ? [`and ${left} more`] : [])]
}

/** A warning or info as it may be shown; empty if nothing is left. */
export function noteFrom(text: unknown): string {
  return publicMessage(text, { maxLength: 1000 })
}
