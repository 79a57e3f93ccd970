/**
 * The envelope around every answer: `status`, `data`, `errorType`, `error`, `warnings`, `infos`. It hides
 * how an answer's text is read: parsed whole for those who want typed data, or only checked, with `data`
 * passed on as it came, for those who want it raw.
 */
import type { GraphQLError } from 'graphql'
import { tesseraError } from '../lib/errors.ts'
import { type RawJson, splitJson } from '../lib/raw-json.ts'
import { parseJson } from '../lib/upstream/json.ts'

export interface Envelope<Data = unknown> {
  readonly status: string
  readonly data: Data
  readonly errorType: string | undefined
  readonly error: string | undefined
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
}

/** An answer of which the whole text is at hand; each way of reading it is done once. */
export interface Answer {
  parsed(): Envelope
  /** With `data` as a `RawJson`; undefined where the text cannot be split. */
  split(): Envelope | undefined
}

export function badResponse(expected: string): GraphQLError {
  return tesseraError('UPSTREAM_BAD_RESPONSE', `The metrics service did not answer ${expected}.`, {
    service: 'metrics',
  })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function answerFrom(body: Buffer): Answer {
  let parsed: Envelope | undefined
  let split: Envelope<RawJson | undefined> | undefined | null = null
  return {
    parsed() {
      parsed ??= parseEnvelope(body)
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

/** An envelope that was parsed already; undefined where `body` is none. */
export function envelopeFrom(body: unknown): Envelope | undefined {
  if (!isRecord(body) || typeof body.status !== 'string') return undefined
  return envelopeOf((key) => (Object.hasOwn(body, key) ? body[key] : undefined), body.data)
}

function parseEnvelope(body: Buffer): Envelope {
  let value: unknown
  try {
    value = parseJson(body.toString('utf8'))
  } catch {
    throw badResponse('the JSON that was expected')
  }
  const envelope = envelopeFrom(value)
  if (envelope === undefined) throw badResponse('with the envelope of its API')
  return envelope
}

function envelopeOf<Data>(read: (key: string) => unknown, data: Data): Envelope<Data> {
  const status = read('status')
  if (typeof status !== 'string') throw badResponse('with the envelope of its API')
  return {
    status,
    data,
    errorType: text(read('errorType')),
    error: text(read('error')),
    warnings: texts(read('warnings')),
    infos: texts(read('infos')),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
