/**
 * The effect of a failed field on its response, as the client requests it by the parameter `onError`
 * (https://github.com/graphql/graphql-spec/pull/1163).
 */

/**
 * `PROPAGATE`: a null in a non-null position removes its parent. `NULL`: the null remains at the path of the error.
 * `HALT`: the first error ends the operation, and its data is null.
 */
export type ErrorBehavior = (typeof errorBehaviors)[number]
export const errorBehaviors = ['NULL', 'PROPAGATE', 'HALT'] as const

/** Carries the behavior in requests without a JSON body. */
export const onErrorHeader = 'tessera-on-error'

export function isErrorBehavior(value: unknown): value is ErrorBehavior {
  return errorBehaviors.some((known) => known === value)
}

interface Result<Failure> {
  readonly errors?: readonly Failure[] | undefined
}

/** The unchanged result; with `HALT` and an error, only that error and no data. */
export function haltedBy<Failure, Whole extends Result<Failure>>(
  onError: ErrorBehavior,
  result: Whole,
): Whole | { readonly data: null; readonly errors: readonly Failure[] } {
  const { errors } = result
  if (onError !== 'HALT' || errors === undefined || errors.length === 0) return result
  return { data: null, errors: errors.slice(0, 1) }
}
