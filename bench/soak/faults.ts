/**
 * Faults of every kind at random times, by the services' control routes. Most affect single calls. Sometimes a
 * service is down so long that its breaker opens.
 */
import type { Pool } from 'undici'
import type { Fault, FaultKind } from '../../sandbox/faults.ts'
import type { Random } from './random.ts'

export interface Faults {
  /** How many faults were requested, by kind. */
  readonly faults: ReadonlyMap<string, number>
  stop(): Promise<void>
}

const services = ['videos', 'agents', 'messages', 'metrics'] as const

/** A service that is down for everybody, because ten failures in a row open its breaker. */
const outage = 1e6

/**
 * A fault that meets no request ends soon. Otherwise the faults of a service whose breaker is open would pile up,
 * and hit the request that tests whether it is back.
 */
const withinMs = 100
const outageMs = 1500

const kinds: readonly { readonly weight: number; readonly item: FaultKind }[] = [
  { weight: 6, item: 'status' },
  { weight: 3, item: 'hang' },
  { weight: 6, item: 'reset' },
  { weight: 2, item: 'slow' },
  { weight: 4, item: 'garbage' },
  { weight: 4, item: 'truncated' },
  { weight: 3, item: 'wrong-type' },
  { weight: 3, item: 'redirect' },
  { weight: 0.3, item: 'huge' },
  { weight: 0.3, item: 'gzip-bomb' },
  { weight: 3, item: 'late' },
  { weight: 8, item: 'lost-answer' },
]

const statuses: readonly Pick<Fault, 'status' | 'headers'>[] = [
  { status: 500 },
  { status: 502 },
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 503, headers: { 'retry-after': '1' } },
  { status: 429, headers: { 'retry-after': '0' } },
  { status: 504 },
]

export function nextFault(random: Random, timeoutMs: number): Fault {
  const service = random.pick(services)
  if (random.next() < 0.005)
    return { kind: 'status', status: 500, service, times: outage, withinMs: outageMs }
  const kind = random.draw(kinds)
  // Faults that hold a connection for long, or cost this machine much, occur alone.
  const alone =
    kind === 'huge' || kind === 'gzip-bomb' || kind === 'hang' || kind === 'slow' || kind === 'late'
  return {
    kind,
    service,
    times: alone ? 1 : random.between(1, 3),
    withinMs,
    ...(kind === 'status' ? random.pick(statuses) : {}),
    ...(kind === 'late' ? { delayMs: timeoutMs * 2 } : {}),
    ...(kind === 'slow' ? { delayMs: timeoutMs / 2 } : {}),
  }
}

export function startFaults(
  control: Pool,
  random: Random,
  options: { readonly everyMs: number; readonly timeoutMs: number },
): Faults {
  const faults = new Map<string, number>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<unknown> = Promise.resolve()
  const plan = (): void => {
    timer = setTimeout(
      () => {
        const fault = nextFault(random, options.timeoutMs)
        faults.set(fault.kind, (faults.get(fault.kind) ?? 0) + 1)
        sending = control
          .request({ method: 'POST', path: '/__control/faults', body: JSON.stringify(fault) })
          .then(({ body }) => body.dump())
          .then(() => {
            if (!stopped) plan()
          })
      },
      random.next() * 2 * options.everyMs,
    )
  }
  plan()
  return {
    faults,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await sending
    },
  }
}
