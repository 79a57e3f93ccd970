/**
 * The effect of a failing field on its response, as the client requests it: the request parameter `onError`
 * (https://github.com/graphql/graphql-spec/pull/1163).
 */

/**
 * `PROPAGATE`: a null in a non-null position removes its parent. `NULL`: the null stays at the path of the error, and
 * its parent remains. `HALT`: the first error ends the operation, whose data is null.
 */
export type ErrorBehavior = 'NULL' | 'PROPAGATE' | 'HALT'

export const errorBehaviors = ['NULL', 'PROPAGATE', 'HALT'] as const satisfies readonly ErrorBehavior[]

/** Carries it if a request has no JSON object around it. */
export const onErrorHeader = 'tessera-on-error'

export function isErrorBehavior(value: unknown): value is ErrorBehavior {
  return errorBehaviors.some((known) => known === value)
}

interface Result<Failure> {
  readonly errors?: readonly Failure[] | undefined
}

/** The result as it is; with `HALT` and an error, that error alone and no data. */
export function haltedBy<Failure, Whole extends Result<Failure>>(
  onError: ErrorBehavior,
  result: Whole,
): Whole | { readonly data: null; readonly errors: readonly Failure[] } {
  const { errors } = result
  if (onError !== 'HALT' || errors === undefined || errors.length === 0) return result
  return { data: null, errors: errors.slice(0, 1) }
}
