/** What is kept under an idempotency key: which request it stands for, and the outcome of each of its root fields. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { isErrorCode, tesseraError } from '../../../contract/errors.ts'

export interface Entry {
  /** A hash of the operation, its variables and the fields that the key is for. */
  readonly request: string
  /** Until when its request may run, in milliseconds since 1970; 0 where none runs. */
  readonly until: number
  /** Tells two attempts apart that are otherwise equal. */
  readonly attempt: string
  /** By response key. A field that is not here changed nothing. */
  readonly outcomes: Readonly<Record<string, Outcome>>
}

export type Outcome =
  | {
      readonly kind: 'done'
      /** The data of the field as JSON, `{"key":…}`; undefined where it was too long to be kept. */
      readonly data: string | undefined
      readonly errors: readonly GraphQLFormattedError[]
    }
  /** The field was begun, and nothing shows what became of it. `since`: when, in milliseconds since 1970. */
  | { readonly kind: 'unknown'; readonly since: number }

/** Longer data is not kept. */
const mostCharacters = 256 * 1024
const mostErrors = 20

export const writeEntry = (entry: Entry): string => JSON.stringify(entry)

/** Others that can write to the store are not trusted: undefined where it is none of ours. */
export function readEntry(text: string): Entry | undefined {
  try {
    const { request, until, attempt, outcomes } = JSON.parse(text) as Partial<Entry>
    if (typeof request !== 'string' || typeof until !== 'number' || typeof attempt !== 'string')
      return undefined
    if (typeof outcomes !== 'object' || outcomes === null || Array.isArray(outcomes)) return undefined
    return { request, until, attempt, outcomes }
  } catch {
    return undefined
  }
}

export function doneWith(data: string, errors: readonly GraphQLError[]): Outcome {
  return {
    kind: 'done',
    data: data.length > mostCharacters ? undefined : data,
    errors: errors.slice(0, mostErrors).map((error) => {
      const { message, path, extensions } = error
      // What a client would not be shown is not kept either.
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
