/** Which errors are expected: those with one of our codes that blames the input. */
import { isErrorCode } from '../../shared/errors.ts'
import { Broken } from './target.ts'

export function codeOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('extensions' in error)) return undefined
  return (error.extensions as { readonly code?: unknown } | undefined)?.code
}

/** An error of `tesseraError` that does not blame the gateway. */
export const isTyped = (error: unknown): boolean =>
  isErrorCode(codeOf(error)) && codeOf(error) !== 'INTERNAL_SERVER_ERROR'

/** Throws if one of these is not a typed error. An error that wraps another one is replaced by that. */
export function allTyped(errors: readonly unknown[]): void {
  for (const error of errors) {
    if (isTyped(error)) continue
    const cause = error instanceof Error && 'originalError' in error ? error.originalError : undefined
    throw cause instanceof Error ? cause : new Broken('an error without a code', error)
  }
}

/** An error of one of these classes. */
export const ofClass =
  (...classes: readonly (abstract new (...args: never[]) => Error)[]) =>
  (error: unknown): boolean =>
    classes.some((one) => error instanceof one)
