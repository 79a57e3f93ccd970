/**
 * Which `Host` headers are accepted. The page of another site can give its own host name the address 127.0.0.1 and
 * then read responses of a server there, but `Host` still contains that site's name.
 */
import { isIP } from 'node:net'

type IsAllowedHost = (header: string | undefined) => boolean

/** `address` is the one on which the server listens. `allowedHosts` are names without a port; see SandboxOptions. */
export function createHostCheck(address: string, allowedHosts?: readonly string[]): IsAllowedHost {
  if (allowedHosts === undefined && !isLoopback(address)) return () => true
  const allowed = allowedHosts && new Set(allowedHosts.map((name) => name.toLowerCase()))
  let lastAllowed: string | undefined
  return (header) => {
    if (header === undefined) return false
    if (header === lastAllowed) return true
    const name = nameIn(header)
    if (name === undefined || !(allowed?.has(name) ?? isLoopback(name))) return false
    lastAllowed = header
    return true
  }
}

/**
 * The same for a server that gives tokens to everybody, wherever it listens: the name must be an address,
 * localhost, or the name on which it is configured to listen. Neither addresses nor localhost can be given to
 * another server.
 */
export function createOwnHostCheck(address: string): IsAllowedHost {
  const own = address.toLowerCase()
  return (header) => {
    const name = header === undefined ? undefined : nameIn(header)
    if (name === undefined) return false
    return isLoopback(name) || name === own || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  }
}

/** The host name of a `Host` header, without its port. */
function nameIn(header: string): string | undefined {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::[0-9]{1,5})?$/i.exec(header)
  return match?.[1]?.toLowerCase()
}

function isLoopback(name: string): boolean {
  if (name === '::1' || name === '[::1]') return true
  return name === 'localhost' || name.endsWith('.localhost') || /^127(?:\.[0-9]{1,3}){3}$/.test(name)
}
