/**
 * The Model Context Protocol itself, by `@modelcontextprotocol/server`: revision 2026-07-28, and the stateless mode for
 * clients of 2025-11-25. The library is loaded when the first request comes.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { Exchange } from '../exchange.ts'

export type Library = typeof import('@modelcontextprotocol/server')

/** Makes the server of one message. `isModern`: whether the client speaks 2026-07-28. */
export type Serve = (library: Library, exchange: Exchange, isModern: boolean) => Server

interface ProtocolOptions {
  readonly serve: Serve
  failed(error: Error): void
}

export type Protocol = Awaited<ReturnType<typeof openProtocol>>

export async function openProtocol({ serve, failed }: ProtocolOptions) {
  const library = await import('@modelcontextprotocol/server')
  /** The exchange whose message is answered. */
  const asking = new AsyncLocalStorage<Exchange>()
  const handler = library.createMcpHandler(
    ({ era }) => serve(library, exchangeIn(asking), era === 'modern'),
    {
      responseMode: 'auto',
      bus: new Bus(asking),
      onerror: failed,
    },
  )
  return {
    /** Answers one message. `request` has the headers and the address; `body` is the message. */
    answer: (request: Request, body: unknown, exchange: Exchange): Promise<Response> =>
      asking.run(exchange, () => handler.fetch(request, { parsedBody: body })),
    /** Tells those who listen what has changed. */
    notify: handler.notify,
    close: (): Promise<void> => handler.close(),
  }
}

type Listener = Parameters<ServerEventBus['subscribe']>[0]

/** What tells the open streams. Each hears of the resources that its own caller may read, and of lists with all others. */
class Bus implements ServerEventBus {
  readonly #asking: AsyncLocalStorage<Exchange>
  readonly #listeners = new Set<Listener>()

  constructor(asking: AsyncLocalStorage<Exchange>) {
    this.#asking = asking
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    const exchange = this.#asking.getStore()
    exchange?.heard?.begin(
      (uri) => listener({ kind: 'resource_updated', uri }),
      () => exchange.ending.abort(),
    )
    return () => {
      this.#listeners.delete(listener)
      exchange?.heard?.close()
    }
  }
}

function exchangeIn(asking: AsyncLocalStorage<Exchange>): Exchange {
  const exchange = asking.getStore()
  if (exchange === undefined) throw new Error('a request was not checked')
  return exchange
}
