/** What is kept under an idempotency key: which request it stands for, and the outcome of each of its root fields. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { z } from 'zod'
import { isErrorCode, tesseraError } from '../../../shared/errors.ts'
import { splitJson } from '../../../shared/json/raw.ts'

export interface Entry {
  /** A hash of the operation, its variables and the fields that the key is for. */
  readonly request: string
  /** Until when its request may run, in milliseconds since 1970; 0 if none runs. */
  readonly until: number
  /** Tells two attempts apart that are otherwise equal. */
  readonly attempt: string
  /** By response key. A field that is not here changed nothing. */
  readonly outcomes: Readonly<Record<string, Outcome>>
}

export type Outcome =
  | {
      readonly kind: 'done'
      /** The data of the field as JSON, `{"key":…}`; undefined if it was too long to be kept. */
      readonly data: string | undefined
      readonly errors: readonly GraphQLFormattedError[]
      /** What of the field was refused to its caller, as a digest; empty for nothing. */
      readonly refused?: string | undefined
    }
  /** The field was begun, and nothing shows what became of it. `since`: when, in milliseconds since 1970. */
  | { readonly kind: 'unknown'; readonly since: number }

/** Longer data is not kept. */
const mostCharacters = 256 * 1024
const mostErrors = 20

export const writeEntry = (entry: Entry): string => JSON.stringify(entry)

const error = z.object({
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    data: z.string().optional(),
    errors: z.array(error),
    refused: z.string().optional(),
  }),
  z.object({ kind: z.literal('unknown'), since: z.number() }),
])
const entry = z.object({
  request: z.string(),
  until: z.number(),
  attempt: z.string(),
  outcomes: z.record(z.string(), outcome),
})

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
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  const { data: known } = entry.safeParse(given)
  if (known === undefined) return undefined
  const isOurs = Object.entries(known.outcomes).every(
    ([field, one]) => one.kind === 'unknown' || one.data === undefined || isDataOf(field, one.data),
  )
  return isOurs ? (known as Entry) : undefined
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

export function errorsOf(outcome: Extract<Outcome, { kind: 'done' }>): readonly GraphQLError[] {
  return outcome.errors.map(({ message, path, extensions }) =>
    extensions === undefined
      ? tesseraError('INTERNAL_SERVER_ERROR', message)
      : new GraphQLError(message, { extensions, ...(path && { path }) }),
  )
}
