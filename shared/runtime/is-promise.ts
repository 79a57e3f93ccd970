/** A value that is there, or that has to be waited for. */
export type Awaitable<Value> = Promise<Value> | Value

/** Whether it has to be waited for; as graphql sees it, which takes whatever has a method `then`. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
