/**
 * An event loop in simulated time, which serves requests through a gate: each turn runs the look that is due, reads what
 * has arrived (requests, and what services have answered) and ends with what was put off to its end. Work takes
 * simulated time, so that overload is the same on every machine.
 */
import type { EventLoop, LoopState } from '../../../gateway/overload/event-loop.ts'
import { createGate, type Gate } from '../../../gateway/overload/gate.ts'

export interface Costs {
  /** Milliseconds of the loop: to read a request, to begin it, to finish it, to refuse it. */
  readonly read: number
  readonly begin: number
  readonly finish: number
  readonly refuse: number
  /** How long the services take. */
  readonly service: number
}

export interface Request {
  readonly at: number
  /** Multiplies what it costs. */
  readonly weight?: number
  /** When its client goes away; the loop reads that a turn after the request at the earliest. */
  readonly goneAt?: number
  /** What its client asks when it has the answer: at which time. */
  readonly next?: (answeredAt: number) => Request | undefined
}

export interface Outcome {
  readonly request: Request
  readonly kind: 'answered' | 'refused' | 'gone'
  readonly ms: number
}

export interface Simulation {
  readonly outcomes: readonly Outcome[]
  readonly gate: Gate
  /** When refusing began and ended, in turn. */
  readonly changes: readonly number[]
}

export interface SimulationOptions {
  readonly targetMs: number
  readonly costs?: Costs
  /** Times at which something else holds the loop, and for how long. */
  readonly stalls?: readonly { readonly at: number; readonly ms: number }[]
  readonly untilMs: number
}

interface Watch {
  readonly everyMs: number
  readonly look: (seen: LoopState) => void
  next: number
  lookedAt: number
  busyBefore: number
}

export const usualCosts: Costs = { read: 0.03, begin: 0.15, finish: 0.85, refuse: 0.02, service: 2 }

export const capacityOf = ({ read, begin, finish }: Costs): number => 1000 / (read + begin + finish)

export function simulate(
  requests: readonly Request[],
  { targetMs, costs = usualCosts, stalls = [], untilMs }: SimulationOptions,
): Simulation {
  let now = 0
  let busy = 0
  const work = (ms: number): void => {
    now += ms
    busy += ms
  }
  const watches = new Set<Watch>()
  let ends: (() => void)[] = []
  const loop: EventLoop = {
    now: () => now,
    watch(everyMs, look) {
      const watch = { everyMs, look, next: now + everyMs, lookedAt: now, busyBefore: busy }
      watches.add(watch)
      return { stop: () => void watches.delete(watch) }
    },
    atEnd: (call) => void ends.push(call),
  }
  const changes: number[] = []
  const gate = createGate({ targetMs, loop, onChange: () => void changes.push(now) })
  const outcomes: Outcome[] = []
  /** Sorted by time, as services take equally long for all. */
  const finishing: { at: number; call: () => void }[] = []
  const seenGone = new Set<Request>()
  const coming = requests.toSorted((a, b) => b.at - a.at)
  const come = (request: Request): void => {
    const at = coming.findLastIndex((other) => other.at > request.at)
    coming.splice(at + 1, 0, request)
  }
  const departures = requests
    .filter(({ goneAt }) => goneAt !== undefined)
    .toSorted((a, b) => (a.goneAt ?? 0) - (b.goneAt ?? 0))
  const waits = stalls.toSorted((a, b) => a.at - b.at)

  const done = (request: Request, kind: Outcome['kind']): void => {
    outcomes.push({ request, kind, ms: now - request.at })
    const next = request.next?.(now)
    if (next !== undefined) come(next)
  }
  const read = (request: Request): void => {
    work(costs.read)
    const { weight = 1 } = request
    const finish = (): void => {
      work(costs.finish * weight)
      gate.ended()
      done(request, 'answered')
    }
    gate.enter({
      isGone: () => seenGone.has(request),
      begin() {
        work(costs.begin * weight)
        if (costs.service === 0) finish()
        else finishing.push({ at: now + costs.service, call: finish })
      },
      refuse() {
        work(costs.refuse)
        done(request, seenGone.has(request) ? 'gone' : 'refused')
      },
    })
  }

  while (now < untilMs) {
    for (const watch of [...watches]) {
      if (watch.next > now) continue
      const delayMs = Math.max(0, now - watch.next)
      const utilization = (busy - watch.busyBefore) / (now - watch.lookedAt)
      watch.lookedAt = now
      watch.busyBefore = busy
      watch.next = now + watch.everyMs
      watch.look({ delayMs, utilization })
    }
    // What is ready when the turn reads; what comes meanwhile is for the next turn.
    const readAt = now
    while ((coming.at(-1)?.at ?? Number.POSITIVE_INFINITY) <= readAt) read(coming.pop() as Request)
    while (finishing[0] !== undefined && finishing[0].at <= readAt) finishing.shift()?.call()
    const ending = ends
    ends = []
    for (const call of ending) call()
    while ((departures[0]?.goneAt ?? Number.POSITIVE_INFINITY) <= readAt)
      seenGone.add(departures.shift() as Request)
    while (waits[0] !== undefined && waits[0].at <= now) work(waits.shift()?.ms ?? 0)
    if (ends.length > 0) continue
    const next = Math.min(
      coming.at(-1)?.at ?? Number.POSITIVE_INFINITY,
      finishing[0]?.at ?? Number.POSITIVE_INFINITY,
      ...[...watches].map((watch) => watch.next),
      waits[0]?.at ?? Number.POSITIVE_INFINITY,
    )
    if (next === Number.POSITIVE_INFINITY) break
    now = Math.max(now, next)
  }
  return { outcomes, gate, changes }
}

/** Requests at fixed intervals. */
export function arrivals(
  rate: number,
  fromMs: number,
  untilMs: number,
  make: (n: number) => Omit<Request, 'at'> = () => ({}),
): Request[] {
  const step = 1000 / rate
  return Array.from({ length: Math.floor((untilMs - fromMs) / step) }, (_, n) => ({
    at: fromMs + n * step,
    ...make(n),
  }))
}

/** Clients that begin at a time and ask again as soon as they have an answer. */
export function clients(count: number, fromMs: number, untilMs: number, weight = 1): Request[] {
  const ask = (at: number): Request | undefined =>
    at >= untilMs ? undefined : { at, weight, next: (answeredAt) => ask(answeredAt) }
  return Array.from({ length: count }, () => ask(fromMs)).filter((one) => one !== undefined)
}
