/**
 * Repeats a write after an attempt whose outcome is unknown (`SubgraphRequest.earlierAttempt`): it first finds out
 * what that attempt did. If finding out fails, the outcome stays unknown.
 */
import { GraphQLError } from 'graphql'
import { tesseraError } from '../../shared/errors.ts'
import type { EarlierAttempt, SubgraphRequest } from '../../shared/request.ts'
import { asError } from '../../shared/runtime/thrown.ts'

/** A write, and how to find out whether an earlier attempt made it. */
export interface Write<Done> {
  readonly service: string
  write(): Promise<Done>
  /**
   * Returns what the earlier attempt made; undefined if it made nothing. It is absent if the service offers no way
   * to find out, and then nothing is written. A write that may be repeated without harm (an update, a like) needs
   * no `writeOnce`.
   */
  readonly findOut?: ((earlier: EarlierAttempt) => Promise<Done | undefined>) | undefined
}

/**
 * Writes. If an earlier attempt may have written (`request.earlierAttempt`), finds that out first, and writes only
 * what is missing. Rejects with `OUTCOME_UNKNOWN` if nothing tells, or not yet (`retryAfter`, in seconds).
 */
export async function writeOnce<Done>(
  { earlierAttempt }: SubgraphRequest,
  { service, write, findOut }: Write<Done>,
): Promise<Done> {
  if (earlierAttempt === undefined) return write()
  if (findOut === undefined) {
    throw tesseraError(
      'OUTCOME_UNKNOWN',
      `An earlier attempt may have made this change, and the ${service} service offers no way to find out. Nothing was done now.`,
      { service, extensions: stillUnknown },
    )
  }
  let found: Done | undefined
  try {
    found = await findOut(earlierAttempt)
  } catch (error) {
    throw withUnknownOutcome(asError(error), service)
  }
  if (found !== undefined) return found
  const { leftMs } = earlierAttempt
  if (leftMs > 0) {
    throw tesseraError(
      'OUTCOME_UNKNOWN',
      `An earlier attempt is not visible at the ${service} service yet, and may still take effect. Nothing was done now.`,
      { service, retryAfter: Math.ceil(leftMs / 1000), extensions: stillUnknown },
    )
  }
  return write()
}

const stillUnknown = { outcome: 'unknown' } as const

function withUnknownOutcome(error: Error, service: string): GraphQLError {
  if (!(error instanceof GraphQLError))
    return tesseraError(
      'INTERNAL_SERVER_ERROR',
      'The outcome of an earlier attempt could not be determined.',
      {
        service,
        cause: error,
        extensions: stillUnknown,
      },
    )
  return new GraphQLError(error.message, {
    originalError: error,
    extensions: { ...error.extensions, ...stillUnknown },
  })
}
