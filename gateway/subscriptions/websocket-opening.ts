/** Who opened a WebSocket: its request, and what `connection_init` and pings say beside it. */
import type { IncomingMessage } from 'node:http'
import { clientCertificateOf } from '../auth/client-certificate.ts'
import type { ConnectionHeaders } from './caller.ts'
import { shareValues } from './shared-values.ts'

/** What is kept of the request that opened a connection: the rest of it is of no more use, and takes a kilobyte. */
export type Opening = Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

export function openingOf({ headers, method, url, socket }: IncomingMessage): Opening {
  shareValues(headers)
  return { headers, method, url, socket }
}

/** The request that opened the connection, and the headers of `connection_init`, which count more. */
export class WebSocketHeaders implements ConnectionHeaders {
  readonly #opening: Opening
  /** Names and values in turn: for the one or two that there are a Map takes four times as much. */
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

/** The longest text of `connection_init` and of pings that is looked at. */
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
