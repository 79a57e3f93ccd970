/** A value or a promise of it. */
export type Awaitable<Value> = Promise<Value> | Value

/** Whether it is a promise as graphql defines it: anything with a method `then`. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Calls `next` with the value: at once if it is available, because a promise costs time. */
export function whenReady<Value, Made>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Made>,
): Awaitable<Made> {
  return value instanceof Promise ? value.then(next) : next(value)
}
