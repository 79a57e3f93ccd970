/** Calls made from the operations of a service: their paths are filled in, and what is fixed is taken over. */
import type { ServiceOperation } from '../../shared/service-calls.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'

/** Needs no escape in any part of a path. */
const plain = /^[\w.~/-]*$/

/** The operation's path with its names filled in: every segment of a value escaped by itself, the slashes kept. */
export function fillPath({ path }: ServiceOperation, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`)
    return plain.test(value) ? value : value.split('/').map(encodeURIComponent).join('/')
  })
}

/** A call of the operation. `path` is filled in, with its query; `units` is given if the price is another one. */
export function callOf(
  { name, method, safe, cacheable, units, bucket }: ServiceOperation,
  path: string,
  more?: Partial<UpstreamCall>,
): UpstreamCall {
  return { operation: name, method, path, safe, cacheable, units, bucket, ...more }
}
