/**
 * The number of right responses when more requests arrive than can be answered: the capacity, half of it, once,
 * twice and three times as much, the time of recovery, and finally eight times as much. Each candidate has one core
 * for all of its processes. The clients and the services have the other one, so that they do not disturb the
 * candidate.
 */
import type { Candidate, CandidateName, Starter } from '../candidates.ts'
import type { LoadResult, LoadTask } from '../load.ts'
import type { Operation } from '../operations.ts'
import { cpuOf, end, peakOf, pin, residentOf, startWorker, type Worker } from '../processes.ts'
import type { ArrivalsResult, ArrivalsTask, Phase } from './tally.ts'

export interface OverloadOptions {
  readonly starter: Starter
  readonly names: readonly CandidateName[]
  readonly operation: Operation
  /** Seconds of each phase. */
  readonly seconds: number
  /** The most connections of the clients. */
  readonly connections: number
  /** The processes of the services, which share a core with the clients. */
  readonly servicePids: readonly number[]
}

export interface Overload {
  readonly name: string
  /** Right responses per second with 16 clients, each of which waits for its response. */
  readonly closed: number
  /** The most right responses per second in any phase. */
  readonly peak: number
  readonly arrivals: ArrivalsResult
  /** Milliseconds after the overload until responses are as at half load; undefined if that never happened. */
  readonly recoveryMs: number | undefined
  /** Mebibytes: before the phases, the maximum, and after them. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number }
  /** The candidate's CPU time during the phases, as a share of one core. */
  readonly busy: number
  readonly pinned: boolean
}

export const phaseNames = {
  half: 'half',
  once: '1x',
  between: 'rest',
  /** A little more than the capacity, so that the whole capacity is used. */
  full: '1.2x',
  twice: '2x',
  thrice: '3x',
  recovery: 'recovery',
  eightfold: '8x',
} as const

export async function measureOverload(options: OverloadOptions): Promise<readonly Overload[]> {
  const clients = startWorker('./load.ts')
  const found: Overload[] = []
  for (const name of options.names) {
    const arrivals = startWorker('./overload/arrivals.ts')
    const candidate = await options.starter.start(name)
    console.log(`started ${name}`)
    const others = [arrivals.pid, clients.pid, ...options.servicePids]
    const pinned = pin(candidate.pids, 0) && pin(others, 1)
    found.push(await measure(candidate, { ...options, clients, arrivals, pinned }))
    await arrivals.stop()
    await end(candidate.pids)
  }
  return found
}

async function measure(
  candidate: Candidate,
  {
    operation,
    seconds,
    connections,
    clients,
    arrivals,
    pinned,
  }: OverloadOptions & { clients: Worker; arrivals: Worker; pinned: boolean },
): Promise<Overload> {
  const { url, headers, pids } = candidate
  const closedLoop = (turn: number): Promise<LoadResult> => {
    const task: LoadTask = {
      url,
      headers,
      operation: operation.name,
      seconds: turn,
      from: 0,
      connections: 16,
    }
    return clients.ask<LoadResult>({ ...task })
  }
  const open = (phases: readonly Phase[], patienceMs: number): Promise<ArrivalsResult> => {
    const task: ArrivalsTask = { url, headers, operation: operation.name, phases, connections, patienceMs }
    return arrivals.ask<ArrivalsResult>(JSON.parse(JSON.stringify(task)))
  }
  // As many as there are different requests, so that the services know every response.
  await closedLoop(3)
  await closedLoop(4)
  const { requests, failures, firstFailure, seconds: took } = await closedLoop(4)
  if (failures === requests)
    throw new Error(`${candidate.name} answers wrongly: ${firstFailure ?? `${failures} failures`}`)
  const closed = (requests - failures) / took
  // Finds the capacity for open arrivals, which 16 clients may not have reached.
  const ladder = await open(
    [0.9, 1, 1.1].map((share) => ({ name: `${share}`, rate: closed * share, seconds: 3 })),
    2000,
  )
  await closedLoop(1)
  const best = Math.max(closed, ...ladder.phases.map(({ good, seconds: of }) => good / of))
  const rest: Phase = { name: phaseNames.between, rate: best / 2, seconds: 2 }
  // Measured before and after each overload, because a shared machine may become a fifth slower within seconds.
  const full: Phase = { name: phaseNames.full, rate: best * 1.2, seconds: 3 }
  const phases: Phase[] = [
    { name: phaseNames.half, rate: best / 2, seconds },
    { name: phaseNames.once, rate: best, seconds },
    rest,
    full,
    { name: phaseNames.twice, rate: best * 2, seconds },
    full,
    rest,
    full,
    { name: phaseNames.thrice, rate: best * 3, seconds },
    { name: phaseNames.recovery, rate: best / 2, seconds: Math.max(4, seconds) },
    full,
    { name: phaseNames.eightfold, rate: best * 8, seconds: 3 },
  ]
  const before = residentOf(pids)
  const cpuBefore = cpuOf(pids)
  const began = performance.now()
  const result = await open(phases, 10_000)
  const busy = (cpuOf(pids) - cpuBefore) / 1000 / (performance.now() - began - 10_000)
  return {
    name: candidate.name,
    closed,
    peak: Math.max(best, ...result.phases.map(({ good, seconds: of }) => good / of)),
    arrivals: result,
    recoveryMs: recoveryIn(result),
    memory: { before, most: peakOf(pids), after: residentOf(pids) },
    busy,
    pinned,
  }
}

/**
 * Until a quarter of a second in which all due requests were answered, none of them later than twice the p99 at
 * half load.
 */
function recoveryIn({ phases, slices }: ArrivalsResult): number | undefined {
  const half = phases.find(({ name }) => name === phaseNames.half)
  const index = phases.findIndex(({ name }) => name === phaseNames.recovery)
  const recovery = phases[index]
  if (half === undefined || recovery === undefined) return undefined
  const from = phases.slice(0, index).reduce((sum, { seconds }) => sum + seconds * 1000, 0)
  const until = from + recovery.seconds * 1000
  const calm = slices.find(
    ({ at, due, good, p99 }) =>
      at >= from && at < until && good >= due * 0.98 && p99 <= Math.max(50, 2 * half.p99),
  )
  return calm === undefined ? undefined : calm.at - from
}
