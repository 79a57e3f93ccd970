/**
 * The Model Context Protocol itself, by `@modelcontextprotocol/server`: revision 2026-07-28, and the stateless mode for
 * clients of 2025-11-25. The library is loaded when the first request comes.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { SubscriptionSettings } from '../../subscriptions/config.ts'
import type { AgentRequest } from '../agent-request.ts'

export type Sdk = typeof import('@modelcontextprotocol/server')

/** Makes the server of one message. `isModern`: whether the client speaks 2026-07-28. */
export type Serve = (library: Sdk, agentRequest: AgentRequest, isModern: boolean) => Server

interface ProtocolOptions {
  readonly serve: Serve
  readonly streams: StreamLimits
  failed(error: Error): void
}

/** The most streams of `subscriptions/listen`: of this process, and of one caller. */
export type StreamLimits = Pick<SubscriptionSettings, 'most' | 'mostOfCaller'>

export type Protocol = Awaited<ReturnType<typeof openProtocol>>

export async function openProtocol({ serve, streams, failed }: ProtocolOptions) {
  const library = await import('@modelcontextprotocol/server')
  const asking = new AsyncLocalStorage<AgentRequest>()
  const bus = new Bus(asking)
  const handler = library.createMcpHandler(({ era }) => serve(library, requestIn(asking), era === 'modern'), {
    responseMode: 'auto',
    bus,
    maxSubscriptions: streams.most,
    onerror: failed,
  })
  return {
    answer: (body: unknown, agentRequest: AgentRequest): Promise<Response> =>
      asking.run(agentRequest, () => handler.fetch(agentRequest.request, { parsedBody: body })),
    hasAllStreams: (caller: string): boolean => bus.streamsOf(caller) >= streams.mostOfCaller,
    notify: handler.notify,
    /** Ends all streams, also those that open later. Answers under way are not cut. */
    drain: (): void => bus.drain(),
    close: (): Promise<void> => handler.close(),
  }
}

type Listener = Parameters<ServerEventBus['subscribe']>[0]

/** Notifies the open streams: each of the resources that its caller may read, and all of them of changed lists. */
class Bus implements ServerEventBus {
  readonly #asking: AsyncLocalStorage<AgentRequest>
  readonly #listeners = new Map<Listener, AgentRequest>()
  #isDraining = false

  constructor(asking: AsyncLocalStorage<AgentRequest>) {
    this.#asking = asking
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#listeners.keys()) listener(event)
  }

  streamsOf(caller: string): number {
    let count = 0
    for (const each of this.#listeners.values()) if (each.caller === caller) count += 1
    return count
  }

  drain(): void {
    this.#isDraining = true
    for (const { ending } of this.#listeners.values()) ending.abort()
  }

  subscribe(listener: Listener): () => void {
    const agentRequest = requestIn(this.#asking)
    const { heard, ending } = agentRequest
    this.#listeners.set(listener, agentRequest)
    heard?.begin(
      (uri) => listener({ kind: 'resource_updated', uri }),
      () => ending.abort(),
    )
    if (this.#isDraining) ending.abort()
    return () => {
      this.#listeners.delete(listener)
      heard?.close()
    }
  }
}

function requestIn(asking: AsyncLocalStorage<AgentRequest>): AgentRequest {
  const agentRequest = asking.getStore()
  if (agentRequest === undefined) throw new Error('a request was not checked')
  return agentRequest
}
