/**
 * The address under which a client reaches this server: the configured one, else that of the `Host` header if it is a
 * name of this server, else the one on which it listens.
 */
import { createHostCheck } from './own-host.ts'

export interface OwnAddressOptions {
  readonly publicUrl: string | undefined
  /** Names of this server beside localhost and addresses. */
  readonly names: readonly string[]
  /** The address on which it listens. */
  readonly listening: () => string
}

/** Returns an origin, with the path of the configured address if it has one, without a slash at the end. */
export function createOwnAddress({
  publicUrl,
  names,
  listening,
}: OwnAddressOptions): (host: string | undefined) => string {
  if (publicUrl !== undefined) return () => publicUrl
  const isOwn = createHostCheck(names)
  return (host) => {
    if (host === undefined || !isOwn(host)) return listening()
    return URL.parse(`${new URL(listening()).protocol}//${host}`)?.origin ?? listening()
  }
}
