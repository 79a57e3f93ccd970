/**
 * Addresses: the configured base URL, the paths below it, and the targets of redirects.
 *
 * A path never climbs out of the base URL, and a redirect never leaves its origin, so credentials reach no other
 * host. No function here puts an address into a message.
 */

interface BaseAddress {
  readonly origin: string
  /** The base URL's path without its last slash: '' or '/prometheus'. */
  readonly prefix: string
  /** Whether the service runs on this machine. */
  readonly loopback: boolean
}

/** Throws an Error that names the fault and not the address, because the address may contain a password. */
export function readBaseUrl(text: string, service: string): BaseAddress {
  const wrong = (fault: string): Error => new Error(`the base URL of ${service} ${fault}`)
  if (!URL.canParse(text)) throw wrong('is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('must begin with http:// or https://')
  if (url.username !== '' || url.password !== '') {
    throw wrong('must not contain a user or a password; configure the credential instead')
  }
  if (url.search !== '' || url.hash !== '') throw wrong('must have no query and no fragment')
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ''),
    loopback: isLoopback(url),
  }
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** '.' and '..' as a whole segment, plain or encoded, because servers and proxies would resolve them. */
const dotSegment = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|\\|%5c|%2f|$)/i

/** Whether the path part (before the query) contains a segment that would climb. */
export function climbs(path: string): boolean {
  // Few paths have a dot or an encoded one, so only those are examined.
  if (!path.includes('.') && !path.includes('%2')) return false
  const end = path.indexOf('?')
  return dotSegment.test(end < 0 ? path : path.slice(0, end))
}

/** Whether it starts with exactly one slash, has no fragment, and is visible ASCII. */
export function isPath(path: string): boolean {
  return /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(path)
}

/** The path and query of a `Location`; undefined if it leaves `origin` or is no address. */
export function redirectedPath(origin: string, path: string, location: unknown): string | undefined {
  if (typeof location !== 'string' || !URL.canParse(location, origin + path)) return undefined
  const target = new URL(location, origin + path)
  if (target.origin !== origin || target.username !== '' || target.password !== '') return undefined
  return target.pathname + target.search
}
