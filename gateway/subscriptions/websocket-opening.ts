/** The headers of a WebSocket: those of its request, with those of `connection_init` and of pings. */
import type { IncomingMessage } from 'node:http'
import { clientCertificateOf } from '../auth/client-certificate.ts'
import type { ConnectionHeaders } from './caller.ts'
import { shareValues } from './shared-values.ts'

/** The parts of the opening request that are still needed. The rest would take a kilobyte for each connection. */
export type Opening = Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

export function openingOf({ headers, method, url, socket }: IncomingMessage): Opening {
  shareValues(headers)
  return { headers, method, url, socket }
}

/** The opening request and the headers of `connection_init`, which override those of the request. */
export class WebSocketHeaders implements ConnectionHeaders {
  readonly #opening: Opening
  /** Names and values in turn. There are one or two, for which a Map would take four times the memory. */
  readonly #given: readonly string[]

  constructor(opening: Opening, given: ReadonlyMap<string, string>) {
    this.#opening = opening
    this.#given = [...given].flat()
  }

  header(name: string): string | undefined {
    const at = this.#given.findIndex((each, index) => index % 2 === 0 && each === name)
    if (at >= 0) return this.#given[at + 1]
    const value = this.#opening.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  names(): readonly string[] {
    const given = this.#given.filter((_, index) => index % 2 === 0)
    return [...new Set([...Object.keys(this.#opening.headers), ...given])]
  }

  peer(): string | undefined {
    return this.#opening.socket.remoteAddress
  }

  certificate(): Buffer | undefined {
    return clientCertificateOf(this.#opening.socket)
  }
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
