/** What is kept under an idempotency key: which request it stands for, and the outcome of each of its root fields. */
import { GraphQLError } from 'graphql'
import { z } from 'zod'
import { isErrorCode, tesseraError } from '../../../shared/errors.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { splitJson } from '../../../shared/json/raw.ts'

/** Longer data is not kept. */
const mostCharacters = 256 * 1024
const mostErrors = 20

const error = z.object({
  message: z.string(),
  path: z
    .array(z.union([z.string(), z.number()]))
    .readonly()
    .optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    /** The data of the field as JSON, `{"key":…}`; undefined if it was too long to be kept. */
    data: z.string().optional(),
    errors: z.array(error).readonly(),
    /** What of the field was refused to its caller, as a digest; empty for nothing. */
    refused: z.string().optional(),
  }),
  /** The field was begun, and nothing shows what became of it. `since`: when, in milliseconds since 1970. */
  z.object({ kind: z.literal('unknown'), since: z.number() }),
])
export type Outcome = Readonly<z.infer<typeof outcome>>

const entry = z.object({
  /** A hash of the operation, its variables and the fields that the key is for. */
  request: z.string(),
  /** Until when its request may run, in milliseconds since 1970; 0 if none runs. */
  until: z.number(),
  /** Tells two attempts apart that are otherwise equal. */
  attempt: z.string(),
  /** By response key. A field that is not here changed nothing. */
  outcomes: z.record(z.string(), outcome).readonly(),
})
export type Entry = Readonly<z.infer<typeof entry>>

export const writeEntry = (entry: Entry): string => JSON.stringify(entry)

/**
 * The entry of a request that has ended, without its answers; it still says which changes were made. Undefined if there
 * are no answers, if an outcome is unknown, or if the request may still run.
 */
export function withoutAnswers(text: string): string | undefined {
  const known = text.includes('"done"') ? readEntry(text) : undefined
  if (known === undefined || known.until > 0) return undefined
  const fields = Object.entries(known.outcomes)
  if (!fields.every(([, { kind }]) => kind === 'done')) return undefined
  const outcomes = Object.fromEntries(fields.map(([field]) => [field, { kind: 'done', errors: [] }] as const))
  const shorter = JSON.stringify({ ...known, outcomes })
  return shorter.length < text.length ? shorter : undefined
}

/** Undefined if the text is not an entry of this gateway: others may be able to write to the store. */
export function readEntry(text: string): Entry | undefined {
  const { data: known } = entry.safeParse(parsedJson(text))
  if (known === undefined) return undefined
  const isOurs = Object.entries(known.outcomes).every(
    ([field, one]) => one.kind === 'unknown' || one.data === undefined || isDataOf(field, one.data),
  )
  return isOurs ? known : undefined
}

/** Whether it is an object of this field alone: its text becomes part of a response. */
function isDataOf(field: string, data: string): boolean {
  const split = splitJson(data, field)
  return split?.raw !== undefined && split.rest.size === 0
}

export function doneWith(data: string, errors: readonly GraphQLError[], refused: string): Outcome {
  return {
    kind: 'done',
    refused,
    data: data.length > mostCharacters ? undefined : data,
    errors: errors.slice(0, mostErrors).map((error) => {
      const { message, path, extensions } = error
      // Errors are kept as a client would see them.
      if (!isErrorCode(extensions.code)) return { message: 'Internal error.', ...(path && { path }) }
      return { message, extensions, ...(path && { path }) }
    }),
  }
}

/** An error of a kept answer: its root field was executed by an earlier request, whatever the error says. */
export class KeptError extends GraphQLError {}

export function errorsOf(outcome: Extract<Outcome, { kind: 'done' }>): readonly GraphQLError[] {
  return outcome.errors.map(({ message, path, extensions }) =>
    extensions === undefined
      ? tesseraError('INTERNAL_SERVER_ERROR', message)
      : new KeptError(message, { extensions, ...(path && { path }) }),
  )
}
