/**
 * Equal queries at the same time are executed once, and the result is the answer to all of them: docs/scaling.md says which
 * are equal, and which are never shared. Each request keeps its own deadline, client, price, log line, trace and extensions.
 * A client that disconnects does not end the execution for others. If the deadline of the first request cut a result short,
 * no other request gets it. The bounds are those of `SingleFlight`; beyond them, each request is executed separately.
 */
import { lastChange, noteChange } from '../../engine/change-count.ts'
import { dataForMany, type JsonResult, responseBody } from '../../engine/index.ts'
import { eachFetch } from '../../engine/planner/index.ts'
import type { GatewayRequest } from '../../engine/request.ts'
import { headerPart, mayShare } from '../../engine/subgraphs/index.ts'
import { CancelledError, until } from '../../shared/http/cancellation.ts'
import type { JsonText } from '../../shared/json/raw.ts'
import { sharedRecord } from '../../shared/request.ts'
import { memoByObject } from '../../shared/runtime/memo.ts'
import { SingleFlight } from '../../shared/runtime/single-flight.ts'
import type { GrantedOperation } from '../auth/granted-operation.ts'
import { callerKeyOf } from './caller-key.ts'
import type { Executor, Result } from './operation-request.ts'

export type InFlight = ReturnType<typeof createInFlight>

export interface InFlightOptions {
  readonly enabled: boolean
  readonly callerHeaders: CallerHeaders
  /** The most that one request takes. */
  readonly timeoutMs: number
  /** Called for each request that joins an operation under way. */
  readonly joined?: (() => void) | undefined
}

export function createInFlight({ enabled, callerHeaders, timeoutMs, joined }: InFlightOptions) {
  // What is under way may have begun a while after its request, and ends a while after the deadline.
  const lastMutations = createLastMutations(2 * timeoutMs + 10_000)
  const sharingOf = createSharing(callerHeaders)
  const underWay = new SingleFlight<Result<JsonText>, GatewayRequest>({
    mayJoin: ({ since, leader }, request) => mayShare(since, leader, request),
    wait: async ({ leader, result }, request) => {
      joined?.()
      leader.hold()
      try {
        const made = await until(result, request.deadline, request)
        // What was cut short by the end of its own request is no answer for others.
        if (leader.cancelled && made.errors !== undefined) return undefined
        request.cachePolicy = leader.cachePolicy
        for (const record of leader.meter.records ?? []) request.meter.call(sharedRecord(record))
        return made
      } catch (error) {
        if (leader.cancelled || (error instanceof CancelledError && request.cancelled)) return undefined
        throw error
      } finally {
        leader.release()
      }
    },
    // It ends as it would without the other one: with what its own deadline leaves.
    isOver: (request) => request.cancelled,
    forMany: (made) => (made.data == null ? made : new SharedResult(made.data, made)),
    clock: lastChange,
  })

  /** The same executor, whose mutations are noted: for results that belong to their receiver. */
  function order<Data>(execute: Executor<Data>): Executor<Data> {
    return (granted, variables, request) => {
      if (granted.operation.normalised.kind === 'query') {
        request.notBefore = lastMutations.lastOf(request)
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
      lastMutations.wrote(request)
    }
  }

  return {
    /** The same executor, which executes equal queries under way once. */
    share(execute: Executor<JsonText>): Executor<JsonText> {
      const alone = order(execute)
      if (!enabled) return alone
      return (granted, variables, request) => {
        if (granted.operation.normalised.kind !== 'query' || request.cacheOnly)
          return alone(granted, variables, request)
        const { name, headers } = sharingOf(granted)
        if (headers === undefined) return alone(granted, variables, request)
        request.notBefore = lastMutations.lastOf(request)
        const key = keyOf(name, headers, variables, request)
        return underWay.run(key, request, () => execute(granted, variables, request))
      }
    },
    order,
    /**
     * The headers of the caller, in lower case, on which the result of an operation can depend, apart from its variables
     * and what its caller may see; undefined if its results are not shared.
     */
    callerHeaders: (granted: GrantedOperation): readonly string[] | undefined =>
      enabled ? sharingOf(granted).headers : undefined,
  }
}

/** The result of an operation that several requests wait for: its bytes are made once for all of them. */
export class SharedResult implements JsonResult {
  readonly data: JsonText
  readonly errors: JsonResult['errors']
  readonly extensions: JsonResult['extensions']
  /** The whole body of a response, if it has nothing but the data. */
  readonly body: JsonText
  readonly isPlain: boolean

  constructor(data: JsonText, { errors, extensions }: JsonResult) {
    this.data = dataForMany(data)
    this.body = responseBody({ data: this.data })
    this.errors = errors
    this.extensions = extensions
    this.isPlain = errors === undefined && extensions === undefined
  }
}

/**
 * The headers of the caller, in lower case, on which the answers of a subgraph can depend; undefined if its answers are
 * not to be shared.
 */
type CallerHeaders = (subgraph: string) => readonly string[] | undefined

/**
 * Finds out once for each granted operation what the keys of its queries begin with, and on which headers of the caller its
 * answers depend: undefined if they are not shared.
 */
function createSharing(callerHeaders: CallerHeaders) {
  let count = 0
  return memoByObject((granted: GrantedOperation) => {
    count += 1
    return { name: `${count}`, headers: headersOf(granted, callerHeaders) }
  })
}

function headersOf(
  { compiled }: GrantedOperation,
  callerHeaders: CallerHeaders,
): readonly string[] | undefined {
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
    return undefined
  }
  return isKnown ? [...headers] : undefined
}

function keyOf(
  name: string,
  headers: readonly string[],
  variables: Readonly<Record<string, unknown>>,
  request: GatewayRequest,
): string {
  const { onError } = request
  let key = name + (onError === 'PROPAGATE' ? '' : onError) + JSON.stringify(variables)
  for (const header of headers) key += headerPart(request.header(header))
  return key
}

const mostCallers = 10_000

/**
 * The last mutation of each caller, so that none of its queries joins an answer that began before. A caller is forgotten
 * when everything that still runs began after its last change. If there are too many callers, the oldest are forgotten,
 * and the last change of these counts as a change of every caller. `keptMs`: how long anything runs that others may join.
 */
export function createLastMutations(keptMs: number) {
  /** In the order of their times. */
  const changes = new Map<string, { readonly number: number; readonly time: number }>()
  let floor = 0

  const forgetOld = (now: number): void => {
    for (const [caller, { number, time }] of changes) {
      const isOld = time < now - keptMs
      if (!isOld && changes.size <= mostCallers) return
      if (!isOld) floor = number
      changes.delete(caller)
    }
  }

  return {
    /** The number of the caller's last change (`engine/change-count.ts`); 0 if there is none. */
    lastOf(request: GatewayRequest): number {
      if (changes.size === 0) return floor
      return Math.max(floor, changes.get(callerKeyOf(request))?.number ?? 0)
    },
    /** The caller has changed something, by now. */
    wrote(request: GatewayRequest): void {
      const time = performance.now()
      const name = callerKeyOf(request)
      changes.delete(name)
      changes.set(name, { number: noteChange(), time })
      forgetOld(time)
    },
  }
}
