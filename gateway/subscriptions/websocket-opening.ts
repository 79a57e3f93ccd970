/** The headers of a WebSocket: those of its request, with those of `connection_init` and of pings. */
import type { IncomingMessage } from 'node:http'
import { HttpConnectionHeaders } from './caller.ts'

/** The parts of the opening request that are still needed. The rest would take a kilobyte for each connection. */
export type Opening = Pick<IncomingMessage, 'headers' | 'method' | 'url' | 'socket'>

/** The opening request and the headers of `connection_init`, which override those of the request. */
export class WebSocketHeaders extends HttpConnectionHeaders {
  /** Names and values in turn. There are one or two, for which a Map would take four times the memory. */
  readonly #given: readonly string[]

  constructor({ headers, socket }: Opening, given: ReadonlyMap<string, string>) {
    super(headers, socket)
    this.#given = [...given].flat()
  }

  override header(name: string): string | undefined {
    const at = this.#given.findIndex((each, index) => index % 2 === 0 && each === name)
    return at >= 0 ? this.#given[at + 1] : super.header(name)
  }

  override names(): readonly string[] {
    const given = this.#given.filter((_, index) => index % 2 === 0)
    return [...new Set([...super.names(), ...given])]
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
