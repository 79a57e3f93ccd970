/** The address of a client, directly or behind proxies, and the network that it belongs to. */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'

/** Which addresses are among these: `10.0.0.1`, `10.0.0.0/8`. */
export function networksFrom(addresses: readonly string[]): (address: string) => boolean {
  const known = new BlockList()
  for (const text of addresses) {
    const [address = '', bits] = text.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) known.addAddress(address, family)
    else known.addSubnet(address, Number(bits), family)
  }
  return (address) => known.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** The address of the client of a request. */
export type ClientAddress = (headers: IncomingHttpHeaders, socket: Socket) => string | undefined

/** The address of the connection. */
export const directAddress: ClientAddress = (_, { remoteAddress }) => remoteAddress

/**
 * Each proxy appends the address of whoever connected to it to `X-Forwarded-For`. The last one that is not a trusted
 * proxy is the client's: everything before it is whatever the client sent.
 */
export function createClientAddress(proxies: readonly string[]): ClientAddress {
  if (proxies.length === 0) return directAddress
  const isProxy = networksFrom(proxies)
  return (headers, { remoteAddress }) => {
    const passed = [headers['x-forwarded-for'] ?? []].flat().join()
    let address = remoteAddress
    let end = passed.length
    while (address !== undefined && end > 0 && isProxy(address)) {
      const start = passed.lastIndexOf(',', end - 1) + 1
      const next = withoutPort(passed.slice(start, end).trim())
      if (isIP(next) === 0) break
      address = next
      end = start - 1
    }
    return address
  }
}

/** Some proxies append the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string => text.replace(/^\[([^\]]*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')

/**
 * The network of a client, by which limits tell callers without a name apart. One client may have a whole network of
 * IPv6 addresses, so those of a /64 are one.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !address.includes(':') || address.includes('.')) return address ?? ''
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':')
}
