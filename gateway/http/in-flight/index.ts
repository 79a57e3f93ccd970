/**
 * Equal queries at the same time are executed once, and what comes of it is the answer to all who asked.
 *
 * - Equal: the same operation as the caller may run it (`GrantedOperation`, which stands for the document, the
 *   operation's name and the scopes that matter to it), the same variables, and the same values of every header on
 *   which a subgraph of its plan can depend. Where those are unknown, nothing is shared.
 * - Never shared: mutations, answers that began before the caller's own last mutation, and requests that may only be
 *   answered from the cache.
 * - Each request keeps its own deadline, client, price, log line, trace and extensions: only executing is shared.
 *   Who goes away ends it for no other; a result that was cut short by the deadline of the request that began it
 *   goes to no other.
 * - What is kept is bounded in entries, characters and waiting requests; beyond that requests execute by themselves.
 */

import type { JsonText } from '../../../contract/json/raw.ts'
import { PassingMap } from '../../../contract/passing-map.ts'
import { sharedRecord } from '../../../contract/request.ts'
import type { GrantedOperation } from '../../access/operation.ts'
import { lastChange } from '../../engine/changes.ts'
import { eachFetch } from '../../engine/plan/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { headerPart } from '../../engine/transport/index.ts'
import type { Executor, Result } from '../pipeline/index.ts'
import { SharedResult } from './shared-result.ts'
import { createWriters } from './writers.ts'

export { SharedResult } from './shared-result.ts'

export interface InFlight {
  /** The same executor, which executes equal queries under way once. */
  share(execute: Executor<JsonText>): Executor<JsonText>
  /**
   * The headers of the caller, in lower case, on which the result of an operation can depend beside its variables and
   * what its caller may see; undefined where its results are not shared.
   */
  callerHeaders(granted: GrantedOperation): readonly string[] | undefined
  /** The same executor, whose mutations are noted: for results that belong to their receiver. */
  order<Data>(execute: Executor<Data>): Executor<Data>
}

export interface InFlightOptions {
  /** Whether operations are shared at all. */
  readonly enabled: boolean
  /**
   * The headers of the caller, in lower case, on which the answers of a subgraph can depend; undefined where its
   * answers are not to be shared.
   */
  readonly callerHeaders: (subgraph: string) => readonly string[] | undefined
  /** The most that one request takes, in milliseconds. */
  readonly timeoutMs: number
  /** Called for each request that joins an operation under way. */
  readonly joined?: (() => void) | undefined
  /** The most operations under way that others may join. 10,000. */
  readonly mostRunning?: number | undefined
  /** The most characters of variables and headers by which they are found, of one and of all. 65,536; 16,777,216. */
  readonly mostCharacters?: { readonly one: number; readonly all: number } | undefined
  /** The most requests that wait for one operation. 10,000. */
  readonly mostWaiting?: number | undefined
}

/** An operation under way. */
class Running {
  readonly leader: GatewayRequest
  readonly since: number
  readonly result: Promise<Result<JsonText>>
  waiting = 0

  constructor(leader: GatewayRequest, since: number, result: Promise<Result<JsonText>>) {
    this.leader = leader
    this.since = since
    this.result = result
  }

  /** Whether its request ended before it did. */
  get isCut(): boolean {
    return this.leader.cancelled
  }
}

/** What is known of a granted operation: on which headers its answers depend, and where it is under way. */
interface Shareable {
  readonly headers: readonly string[]
  readonly running: PassingMap<Running>
}

export function createInFlight(options: InFlightOptions): InFlight {
  const { enabled, callerHeaders, joined, mostRunning = 10_000, mostWaiting = 10_000 } = options
  const { mostCharacters = { one: 65_536, all: 16_777_216 } } = options
  // What is under way may have begun a while after its request, and ends a while after the deadline.
  const writers = createWriters({ keptMs: 2 * options.timeoutMs + 10_000 })
  const known = new WeakMap<GrantedOperation, Shareable | typeof unshared>()
  let entries = 0
  let characters = 0

  function shareableFrom({ compiled }: GrantedOperation): Shareable | typeof unshared {
    const headers = new Set<string>()
    let isKnown = true
    try {
      eachFetch(compiled.plan(), ({ operation }) => {
        const own = callerHeaders(operation.service)
        if (own === undefined) isKnown = false
        else for (const header of own) headers.add(header)
      })
    } catch {
      // There is no plan: executing says why.
      return unshared
    }
    return isKnown ? { headers: [...headers], running: new PassingMap() } : unshared
  }

  function shareableOf(granted: GrantedOperation): Shareable | typeof unshared {
    let shareable = known.get(granted)
    if (shareable === undefined) {
      shareable = shareableFrom(granted)
      known.set(granted, shareable)
    }
    return shareable
  }

  const isJoinable = (running: Running | undefined, { notBefore }: GatewayRequest): running is Running =>
    running !== undefined &&
    running.since >= notBefore &&
    running.waiting < mostWaiting &&
    !running.leader.cancelled

  function lead(
    { running }: Shareable,
    key: string,
    request: GatewayRequest,
    execute: () => ReturnType<Executor<JsonText>>,
  ): ReturnType<Executor<JsonText>> {
    const since = lastChange()
    const pending = execute()
    if (!(pending instanceof Promise)) return pending
    const { length } = key
    if (entries >= mostRunning || length > mostCharacters.one || characters + length > mostCharacters.all)
      return pending
    entries += 1
    characters += length
    const ended = (): void => {
      entries -= 1
      characters -= length
      running.delete(key, own)
    }
    const result = pending.then(
      (made) => {
        ended()
        return own.waiting === 0 || made.data == null ? made : new SharedResult(made.data, made)
      },
      (error: unknown) => {
        ended()
        throw error
      },
    )
    const own = new Running(request, since, result)
    running.set(key, own)
    return result
  }

  /** Undefined where there is no answer for this request: it is over itself, or the other one was cut short. */
  function join(running: Running, request: GatewayRequest): Promise<Result<JsonText> | undefined> {
    joined?.()
    running.waiting += 1
    running.leader.hold()
    return new Promise((resolve, reject) => {
      let over = false
      const leave = (): boolean => {
        if (over) return false
        over = true
        running.waiting -= 1
        running.leader.release()
        return true
      }
      const stop = request.onCancel(() => {
        if (leave()) resolve(undefined)
      })
      running.result.then(
        (result) => {
          stop()
          if (over) return
          const isCut = running.isCut && result.errors !== undefined
          leave()
          if (!isCut) request.answerPolicy = running.leader.answerPolicy
          if (!isCut)
            for (const record of running.leader.meter.records ?? []) request.meter.call(sharedRecord(record))
          resolve(isCut ? undefined : result)
        },
        (error: unknown) => {
          stop()
          if (over) return
          const { isCut } = running
          leave()
          if (isCut) resolve(undefined)
          else reject(error)
        },
      )
    })
  }

  async function follow(
    first: Running,
    shareable: Shareable,
    key: string,
    request: GatewayRequest,
    execute: () => ReturnType<Executor<JsonText>>,
  ): Promise<Result<JsonText>> {
    for (
      let running: Running | undefined = first;
      isJoinable(running, request);
      running = shareable.running.get(key)
    ) {
      const result = await join(running, request)
      if (result !== undefined) return result
      // As it would end without the other one: with what its own deadline leaves.
      if (request.cancelled) return execute()
    }
    return lead(shareable, key, request, execute)
  }

  function order<Data>(execute: Executor<Data>): Executor<Data> {
    return (granted, variables, request) => {
      if (granted.operation.definition.operation === 'query') {
        request.notBefore = writers.lastOf(request)
        return execute(granted, variables, request)
      }
      request.notBefore = Number.POSITIVE_INFINITY
      return changing(() => execute(granted, variables, request), request)
    }
  }

  async function changing<Made>(execute: () => Made | Promise<Made>, request: GatewayRequest): Promise<Made> {
    try {
      return await execute()
    } finally {
      writers.wrote(request)
    }
  }

  return {
    share(execute) {
      const alone = order(execute)
      if (!enabled) return alone
      return (granted, variables, request) => {
        if (granted.operation.definition.operation !== 'query' || request.cacheOnly)
          return alone(granted, variables, request)
        const shareable = shareableOf(granted)
        if (shareable === unshared) return alone(granted, variables, request)
        request.notBefore = writers.lastOf(request)
        const key = keyOf(shareable, variables, request)
        const running = shareable.running.get(key)
        const run = () => execute(granted, variables, request)
        return isJoinable(running, request)
          ? follow(running, shareable, key, request, run)
          : lead(shareable, key, request, run)
      }
    },
    order,
    callerHeaders(granted) {
      if (!enabled) return undefined
      const shareable = shareableOf(granted)
      return shareable === unshared ? undefined : shareable.headers
    },
  }
}

const unshared = Symbol('unshared')

function keyOf(
  { headers }: Shareable,
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
): string {
  let key = JSON.stringify(variables)
  for (const name of headers) key += headerPart(request.header(name))
  return key
}
