/** The result of an execution as the body of an answer, or as an event. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { type JsonText, stringifyRaw } from '../../contract/json/raw.ts'
import { responseBody } from '../engine/index.ts'
import type { SubgraphError, SubgraphResult } from '../engine/transport/index.ts'
import type { Logger } from '../observe/log.ts'
import { maskedError, unexpected } from './errors.ts'

export interface ResultBodyOptions {
  /** Of the request, for the log. */
  readonly id: string
  readonly log: Logger
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export function resultBody(
  { data, errors }: SubgraphResult,
  { id, log, extensions }: ResultBodyOptions,
): JsonText {
  const shown = errors?.map((error) => formatted(error, id, log))
  return responseBody({ data: data == null ? data : stringifyRaw(data), errors: shown, extensions })
}

function formatted(error: SubgraphError, id: string, log: Logger): GraphQLFormattedError {
  const { message, path, extensions, originalError } = error
  const exact =
    error instanceof GraphQLError ? error : new GraphQLError(message, { path, extensions, originalError })
  const formattedError = exact.toJSON()
  if (typeof formattedError.extensions?.code === 'string') return formattedError
  const coded = { ...formattedError.extensions, code: unexpected }
  return maskedError({ ...formattedError, extensions: coded }, exact, id, log)
}
