/** Makes calls from the operations of a service: fills in the path and the query, and copies the fixed properties. */
import type { ServiceOperation } from '../../shared/service-calls.ts'
import type { UpstreamCall } from '../../shared/upstream.ts'

/** Lone surrogates become U+FFFD, as in everything that is written in UTF-8. An address cannot have them. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Text that needs no escape in any segment of a path. */
const plain = /^[\w.~/-]*$/

/** The operation's path with its values filled in. Each segment of a value is escaped, and its slashes are kept. */
export function fillPath({ path }: ServiceOperation, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`)
    return plain.test(value) ? value : value.split('/').map(escaped).join('/')
  })
}

/** Query parameters, each as `&name=value`. Undefined ones are left out. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => (value === undefined ? '' : `&${name}=${escaped(String(value))}`))
    .join('')
}

/** A call of the operation. `path` is filled in and has its query. `units` replaces the operation's own price. */
export function callOf(
  { name, method, safe, cacheable, units, bucket }: ServiceOperation,
  path: string,
  more?: Partial<UpstreamCall>,
): UpstreamCall {
  return { operation: name, method, path, safe, cacheable, units, bucket, ...more }
}
