/**
 * Whether a request names this server by one of its own names. A page of another site can have its own name resolve to
 * our address (DNS rebinding), so that a browser takes both for one origin; the `Host` header still has its name.
 * Addresses and localhost cannot be rebound.
 */
import { isIP } from 'node:net'

/** `names`: further names of this server, such as those of its public URL. */
export function createHostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()))
  return (host) => {
    if (host === undefined || host.length > 255) return false
    const name = nameIn(host.toLowerCase())
    return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || known.has(name)
  }
}

/** The name in `name:port` or `[address]:port`. */
function nameIn(host: string): string {
  if (host.startsWith('[')) return host.slice(1, Math.max(1, host.indexOf(']')))
  const colon = host.lastIndexOf(':')
  return colon < 0 ? host : host.slice(0, colon)
}

interface OwnAddressOptions {
  readonly publicUrl: string | undefined
  /** Names of this server other than localhost and addresses. */
  readonly names: readonly string[]
  readonly listening: () => string
}

/**
 * The address under which a client reaches this server: the configured one, else that of the `Host` header if it is a
 * name of this server, else the one on which it listens. It is an origin, with the path of the configured address if it
 * has one, without a slash at the end.
 */
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
