/** Whether it has to be waited for; as graphql sees it, which takes whatever has a method `then`. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
