/**
 * Watches resources for one caller, by subscriptions of the graph. Whoever may not read a resource may not watch it,
 * and watching ends with the subscription. A bound limits how often one stream is told about one resource.
 */
import { counted } from '../../../shared/runtime/counted.ts'
import type { Authenticator } from '../../auth/authenticate/index.ts'
import { Caller, Subscriber } from '../../subscriptions/index.ts'
import { type AgentRequest, bareHeaders, type ResourceListener, runOperation } from '../agent-request.ts'
import { type Budgets, grantOf } from '../budgets.ts'
import { ProtocolFault, rpcCodes } from '../protocol/errors.ts'
import { refusedOf, unitsOf } from '../tools/execute.ts'
import type { CallNotes } from '../tools/tool.ts'
import type { Resources, Watched } from './index.ts'

/** The most resources of one stream. */
const mostResources = 20
/** The least time between two notifications about one resource. */
const leastMs = 1_000

interface WatchOptions {
  readonly authenticator: Authenticator
  readonly budgets: Budgets
}

/** Undefined if the caller is refused: the request has why. Throws a `ProtocolFault` if it cannot be listened for. */
export async function watchResources(
  uris: readonly string[],
  resources: Resources,
  agentRequest: AgentRequest,
  notes: CallNotes,
  options: WatchOptions,
): Promise<ResourceListener | undefined> {
  if (uris.length > mostResources)
    throw new ProtocolFault(rpcCodes.invalidParams, `At most ${mostResources} resources can be listened for.`)
  const wanted = [...new Set(uris)].flatMap((uri) => {
    const { watched } = resources.get(uri)
    return watched === undefined ? [] : [{ uri, watched }]
  })
  for (const { watched } of wanted) await checkScopes(watched, agentRequest, notes)
  if (agentRequest.challenge !== undefined) return undefined
  const watch = new Watch(agentRequest, notes, options)
  for (const { uri, watched } of wanted)
    if (!(await watch.add(uri, watched))) {
      watch.close()
      return undefined
    }
  return watch
}

/** Puts everything that the caller lacks into one challenge, before anything begins. */
async function checkScopes(
  { query, reads, variables }: Watched,
  agentRequest: AgentRequest,
  notes: CallNotes,
): Promise<void> {
  for (const text of [reads, query]) {
    const before = agentRequest.challenge
    const headers = { 'tessera-explain': '1' }
    const response = await runOperation(agentRequest, { query: text, variables, refusesParts: true, headers })
    if (refusedOf(response, agentRequest, notes) === undefined || before === undefined) continue
    const { challenge, message } = agentRequest.challenge ?? before
    const scopes = [before.challenge.scope, challenge.scope].flatMap((scope) => scope?.split(' ') ?? [])
    const scope = scopes.length === 0 ? undefined : [...new Set(scopes)].join(' ')
    agentRequest.challenge = { challenge: { ...challenge, scope }, message }
  }
}

class Watch implements ResourceListener {
  readonly #agentRequest: AgentRequest
  readonly #notes: CallNotes
  readonly #options: WatchOptions
  readonly #connection = { subscriptions: 0 }
  readonly #subscribers = new Map<string, Subscriber>()
  readonly #last = new Map<string, number>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(agentRequest: AgentRequest, notes: CallNotes, options: WatchOptions) {
    this.#agentRequest = agentRequest
    this.#notes = notes
    this.#options = options
  }

  get uris(): readonly string[] {
    return [...this.#subscribers.keys()]
  }

  /** Whether the caller may. */
  async add(uri: string, { query, variables }: Watched): Promise<boolean> {
    const { http, graph, identity, caller } = this.#agentRequest
    const { authenticator, budgets } = this.#options
    try {
      const units = budgets.isEmpty ? 0 : await unitsOf({ query, variables }, this.#agentRequest)
      const taken = { calls: 1, units, tokens: 0, changes: 0 }
      const { over } = await budgets.take(grantOf(identity, caller), taken)
      if (over !== undefined) {
        this.#notes.outcome = 'budget'
        throw new ProtocolFault(
          rpcCodes.refused,
          `A budget of this grant is used up: ${over.budget}. Enough is back in ${counted(over.backInSeconds, 'second')}.`,
        )
      }
      const response = await graph.startOperation({
        id: http.id,
        method: http.method,
        url: http.url,
        caller: new Caller(authenticator, { ...http, headers: bareHeaders(http.headers) }),
        params: () => ({ query, operationName: undefined, variables, extensions: undefined }),
        mediaType: 'application/graphql-response+json',
        queriesOnly: false,
        isProven: true,
        connection: this.#connection,
      })
      const { data, errors = [] } = response.result
      if (data instanceof Subscriber) {
        this.#subscribers.set(uri, data)
        return true
      }
      if (refusedOf(response, this.#agentRequest, this.#notes) !== undefined) return false
      this.#notes.outcome = String(errors[0]?.extensions.code ?? 'failed')
      throw new ProtocolFault(
        rpcCodes.refused,
        `${uri} cannot be listened for: ${errors.map(({ message }) => message).join(' ')}`,
      )
    } catch (error) {
      this.close()
      throw error
    }
  }

  begin(tell: (uri: string) => void, end: () => void): void {
    for (const [uri, subscriber] of this.#subscribers)
      subscriber.listen({
        wake: () => {
          let has = false
          while (subscriber.take() !== undefined) has = true
          if (has) this.#soon(uri, tell)
          // Another one is to be begun then, by whoever may still.
          if (subscriber.end !== undefined) end()
        },
      })
  }

  /** Events that come together make one notification. */
  #soon(uri: string, tell: (uri: string) => void): void {
    if (this.#timers.has(uri)) return
    const wait = Math.max(0, (this.#last.get(uri) ?? Number.NEGATIVE_INFINITY) + leastMs - performance.now())
    const timer = setTimeout(() => {
      this.#timers.delete(uri)
      this.#last.set(uri, performance.now())
      tell(uri)
    }, wait)
    timer.unref()
    this.#timers.set(uri, timer)
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    for (const subscriber of this.#subscribers.values()) subscriber.finish({ kind: 'left' })
  }
}
