/**
 * What becomes of right answers when more arrives than can be answered: capacity, half of it, once, twice and three
 * times of it, how soon all is well again, and eight times at last. Each candidate with the processes that belong to it
 * has one core; the clients and the services have the other one, so that they do not take from the candidate what is
 * measured.
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
  /** Of each phase. */
  readonly seconds: number
  /** The most connections of the clients. */
  readonly connections: number
  /** The processes of the services, which share a core with the clients. */
  readonly servicePids: readonly number[]
}

export interface Overload {
  readonly name: string
  /** Right answers a second with 16 clients, each of which waits for its answer. */
  readonly closed: number
  /** The most right answers a second in any phase. */
  readonly peak: number
  readonly arrivals: ArrivalsResult
  /** Milliseconds after the overload until answers are as at half load; undefined if they never were. */
  readonly recoveryMs: number | undefined
  /** Mebibytes: before the phases, at most, after them. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number }
  /** CPU time of the candidate over the phases, as a share of one core. */
  readonly busy: number
  readonly pinned: boolean
}

export const phaseNames = {
  half: 'half',
  once: '1x',
  between: 'rest',
  /** A little more than can be answered, so that all that can be answered at this time is. */
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
  // As many as there are different requests, so that the services know every answer.
  await closedLoop(3)
  await closedLoop(4)
  const { requests, failures, firstFailure, seconds: took } = await closedLoop(4)
  if (failures === requests)
    throw new Error(`${candidate.name} answers wrongly: ${firstFailure ?? `${failures} failures`}`)
  const closed = (requests - failures) / took
  // What open arrivals can get at most, which 16 clients may not have found.
  const ladder = await open(
    [0.9, 1, 1.1].map((share) => ({ name: `${share}`, rate: closed * share, seconds: 3 })),
    2000,
  )
  await closedLoop(1)
  const best = Math.max(closed, ...ladder.phases.map(({ good, seconds: of }) => good / of))
  const rest: Phase = { name: phaseNames.between, rate: best / 2, seconds: 2 }
  // Before and after each overload: a shared machine may be a fifth slower than some seconds ago.
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

/** Until a quarter of a second in which all that was due was answered, none of it later than twice p99 at half load. */
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
