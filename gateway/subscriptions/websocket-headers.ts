/** The headers of a WebSocket: those of its request, with those of `connection_init` and of pings. */
import type { IncomingMessage } from 'node:http'

/** The parts of the opening request that are still needed. The rest would take a kilobyte for each connection. */
export interface UpgradeRequest extends Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'> {
  /** The address of the client. */
  readonly address: string | undefined
}

/** Longer messages of `connection_init` and pings are not read. */
const longestHeader = 16_384

/** Headers in a payload, or in its `headers`, by their lower-case names. */
export function headersIn(
  payload: Readonly<Record<string, unknown>> | undefined,
  allowed: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const nested = payload?.headers
  const sources = [payload, typeof nested === 'object' && nested !== null ? nested : undefined]
  for (const source of sources) {
    for (const [key, value] of Object.entries(source ?? {})) {
      const name = key.toLowerCase()
      if (typeof value === 'string' && value.length <= longestHeader && allowed.includes(name))
        found.set(name, value)
    }
  }
  return found
}
