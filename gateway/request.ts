/**
 * One request on its way through the gateway: who asks, until when, and what each subgraph that runs in this
 * process holds for it. A subgraph's context is made when its first fetch starts and lives as long as the
 * request. Waiting for the deadline costs one shared timer, and nothing for a request that nobody listens to.
 */
import type { Meter, SubgraphRequest } from '../subgraphs/lib/request.ts'
import type { Subgraph } from '../subgraphs/lib/subgraph.ts'
import type { Identity } from './authenticate.ts'

export interface GatewayRequest extends SubgraphRequest {
  /** Who asks; undefined where nobody authenticates. */
  readonly identity: Identity | undefined
  /** What this request holds of a subgraph that runs in this process. */
  contextOf(subgraph: Subgraph): object
  /** The client went away: nothing more is started, and who listens is told. */
  cancel(): void
}

export interface GatewayRequestInit {
  readonly id: string
  readonly deadline: number
  header(name: string): string | undefined
  readonly identity?: Identity | undefined
  readonly meter?: Meter | undefined
}

const unmetered: Meter = { call() {} }

export function createGatewayRequest(init: GatewayRequestInit): GatewayRequest {
  return new Request(init)
}

class Request implements GatewayRequest {
  readonly id: string
  readonly deadline: number
  readonly identity: Identity | undefined
  readonly meter: Meter
  readonly #init: GatewayRequestInit
  #cancelled = false
  #listeners: Set<() => void> | undefined
  // Most requests touch one subgraph: the first needs no map.
  #subgraph: Subgraph | undefined
  #context: object | undefined
  #others: Map<Subgraph, object> | undefined

  constructor(init: GatewayRequestInit) {
    this.id = init.id
    this.deadline = init.deadline
    this.identity = init.identity
    this.meter = init.meter ?? unmetered
    this.#init = init
  }

  header(name: string): string | undefined {
    return this.#init.header(name)
  }

  get cancelled(): boolean {
    return this.#cancelled || performance.now() >= this.deadline
  }

  contextOf(subgraph: Subgraph): object {
    if (this.#subgraph === subgraph && this.#context !== undefined) return this.#context
    if (this.#context === undefined) {
      this.#subgraph = subgraph
      this.#context = subgraph.createContext(this)
      return this.#context
    }
    this.#others ??= new Map()
    let context = this.#others.get(subgraph)
    if (context === undefined) {
      context = subgraph.createContext(this)
      this.#others.set(subgraph, context)
    }
    return context
  }

  onCancel(listener: () => void): () => void {
    if (this.cancelled) {
      listener()
      return () => {}
    }
    this.#listeners ??= new Set()
    const listeners = this.#listeners
    // Each registration counts for itself, also of one and the same function.
    const entry = (): void => listener()
    listeners.add(entry)
    if (listeners.size === 1) watch(this)
    return () => {
      if (listeners.delete(entry) && listeners.size === 0) waiting.delete(this)
    }
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    waiting.delete(this)
    const listeners = this.#listeners
    this.#listeners = undefined
    if (listeners !== undefined) for (const listener of [...listeners]) listener()
  }
}

/** Requests with somebody who wants to know of their end. */
const waiting = new Set<Request>()
const lookEveryMs = 25
let timer: NodeJS.Timeout | undefined

function watch(request: Request): void {
  waiting.add(request)
  timer ??= setInterval(look, lookEveryMs).unref()
}

function look(): void {
  const now = performance.now()
  for (const request of waiting) if (request.deadline <= now) request.cancel()
  if (waiting.size === 0 && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}
