/**
 * An event loop in simulated time, which serves requests through a gate: each turn runs the timers that are due, reads
 * what has arrived (requests, and what services have answered) and ends with what was put off to its end. Work takes
 * simulated time, so that overload is the same on every machine. Requests may come on connections that have to be
 * accepted, of which a turn accepts a few.
 */
import { createGate, type Gate } from '../../../../gateway/http/shedding/index.ts'
import type { EventLoop } from '../../../../gateway/http/shedding/load.ts'

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
  readonly rank: number
  /** Multiplies what it costs. */
  readonly weight?: number
  /** When its client goes away; the loop reads that a turn after the request at the earliest. */
  readonly goneAt?: number
}

export interface Outcome {
  readonly request: Request
  readonly kind: 'answered' | 'refused' | 'gone'
  readonly ms: number
}

export interface Simulation {
  readonly outcomes: readonly Outcome[]
  readonly gate: Gate
  /** Requests that began. */
  readonly begun: number
  /** Of the turns in which any began: when they were over, and how many began. */
  readonly beginnings: readonly { readonly at: number; readonly begun: number }[]
}

/** How clients connect: a request takes a connection that is free, else a new one. */
export interface Connecting {
  /** Connections that are open in the beginning. */
  readonly open: number
  /** The most that a turn accepts; a request is read a turn after its connection was accepted. */
  readonly perTurn: number
  /** Milliseconds of the loop for each. */
  readonly cost: number
}

export const usualCosts: Costs = { read: 0.03, begin: 0.15, finish: 0.85, refuse: 0.02, service: 2 }

/** `stalls`: times at which something else holds the loop, and for how long. */
export function simulate(
  requests: readonly Request[],
  {
    targetMs,
    costs = usualCosts,
    stalls = [],
    connecting,
    untilMs,
  }: {
    readonly targetMs: number
    readonly costs?: Costs
    readonly stalls?: readonly { readonly at: number; readonly ms: number }[]
    /** Every request comes on an open connection unless given. */
    readonly connecting?: Connecting
    readonly untilMs: number
  },
): Simulation {
  let now = 0
  let busy = 0
  const work = (ms: number): void => {
    now += ms
    busy += ms
  }
  const timers = new Set<{ every: number; next: number; call: () => void }>()
  let ends: (() => void)[] = []
  let later: { readonly at: number; readonly call: () => void }[] = []
  const loop: EventLoop = {
    now: () => now,
    busy: () => busy,
    every(every, call) {
      const timer = { every, next: now + every, call }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    atEnd: (call) => void ends.push(call),
    after: (ms, call) => void later.push({ at: now + ms, call }),
  }
  const gate = createGate({ targetMs, loop })
  const outcomes: Outcome[] = []
  let begun = 0
  const beginnings: { at: number; begun: number }[] = []
  /** Sorted by time, as services take equally long for all. */
  const finishing: { at: number; call: () => void }[] = []
  const seenGone = new Set<Request>()
  const coming = requests.toSorted((a, b) => a.at - b.at)
  let came = 0
  /** Those whose connection has to be accepted. */
  const connects: Request[] = []
  let unread: Request[] = []
  /** Since when more has been waiting than a turn accepts. */
  let behindSince: number | undefined
  const acceptedLate = new Map<Request, number>()
  let free = connecting?.open ?? Number.POSITIVE_INFINITY
  const departures = requests
    .filter(({ goneAt }) => goneAt !== undefined)
    .toSorted((a, b) => (a.goneAt ?? 0) - (b.goneAt ?? 0))
  let departed = 0
  const waits = stalls.toSorted((a, b) => a.at - b.at)

  const arrive = (request: Request): void => {
    if (free > 0) {
      free -= 1
      unread.push(request)
    } else connects.push(request)
  }
  const done = (outcome: Outcome): void => {
    outcomes.push(outcome)
    free += 1
  }
  const read = (request: Request): void => {
    work(costs.read)
    const { weight = 1 } = request
    const begin = (): void => {
      begun += 1
      work(costs.begin * weight)
      finishing.push({
        at: now + costs.service,
        call() {
          work(costs.finish * weight)
          gate.ended()
          done({ request, kind: 'answered', ms: now - request.at })
        },
      })
    }
    if (gate.opens()) {
      begin()
      return
    }
    gate.wait({
      cameAt: acceptedLate.get(request),
      rank: () => request.rank,
      isGone: () => seenGone.has(request),
      begin,
      refuse() {
        work(costs.refuse)
        done({ request, kind: seenGone.has(request) ? 'gone' : 'refused', ms: now - request.at })
      },
    })
  }

  while (now < untilMs) {
    const begunBefore = begun
    for (const timer of [...timers]) {
      if (timer.next > now || !timers.has(timer)) continue
      timer.call()
      timer.next = now + timer.every
    }
    const past = later.filter(({ at }) => at <= now)
    later = later.filter(({ at }) => at > now)
    for (const { call } of past) call()
    // What is ready when the turn reads; what comes meanwhile is for the next turn.
    const readAt = now
    for (; (coming[came]?.at ?? Number.POSITIVE_INFINITY) <= readAt; came++) arrive(coming[came] as Request)
    const these = unread
    unread = connects.splice(0, connecting?.perTurn ?? 0)
    if (behindSince !== undefined) for (const request of unread) acceptedLate.set(request, behindSince)
    behindSince = connects.length === 0 ? undefined : (behindSince ?? now)
    work(unread.length * (connecting?.cost ?? 0))
    for (const request of these) read(request)
    while (finishing[0] !== undefined && finishing[0].at <= readAt) finishing.shift()?.call()
    const ending = ends
    ends = []
    for (const call of ending) call()
    if (begun > begunBefore) beginnings.push({ at: now, begun: begun - begunBefore })
    for (; (departures[departed]?.goneAt ?? Number.POSITIVE_INFINITY) <= readAt; departed++)
      seenGone.add(departures[departed] as Request)
    while (waits[0] !== undefined && waits[0].at <= now) work(waits.shift()?.ms ?? 0)
    if (ends.length > 0 || unread.length > 0 || connects.length > 0) continue
    const next = Math.min(
      coming[came]?.at ?? Number.POSITIVE_INFINITY,
      finishing[0]?.at ?? Number.POSITIVE_INFINITY,
      ...[...timers].map(({ next }) => next),
      ...later.map(({ at }) => at),
      waits[0]?.at ?? Number.POSITIVE_INFINITY,
    )
    if (next === Number.POSITIVE_INFINITY) break
    now = Math.max(now, next)
  }
  return { outcomes, gate, begun, beginnings }
}

/** Requests at fixed intervals. */
export function arrivals(
  rate: number,
  fromMs: number,
  untilMs: number,
  make: (n: number) => Omit<Request, 'at'> = () => ({ rank: 1 }),
): Request[] {
  const step = 1000 / rate
  return Array.from({ length: Math.floor((untilMs - fromMs) / step) }, (_, n) => ({
    at: fromMs + n * step,
    ...make(n),
  }))
}
