/**
 * `npm run bench -- --distance`: lookups of many clients share calls, and the wait for other lookups depends on
 * the distance of the service. It measures, for services at several distances, how many calls 32 clients make for
 * one lookup per request, and how long the requests take, with and without sharing, in turns.
 */
import { type Candidate, createStarter, refusingNone } from './candidates.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { median } from './median.ts'
import { operationNamed } from './operations.ts'
import { end, startWorker, type Worker } from './processes.ts'
import { table } from './report.ts'

export interface DistanceOptions {
  readonly rounds: number
  /** Requests of each turn. */
  readonly requests: number
  readonly machine: string
}

/** The figures of one turn. */
interface Turn {
  readonly calls: number
  readonly p50: number
  readonly p99: number
}

/** In the order of the rounds. */
interface Turns {
  readonly alone: Turn[]
  readonly sharing: Turn[]
}

/** Constant response times would keep all clients in step, which real services do not. */
const distances = [5, 30, 100].flatMap((delayMs) => [false, true].map((varies) => ({ delayMs, varies })))
/** One lookup per request, of another object each time. */
const operation = operationNamed('Q1')
const warmUpSeconds = 3

export async function measureDistance({ rounds, requests, machine }: DistanceOptions): Promise<string> {
  const upstream = startWorker('./upstream.ts')
  const sandbox = await upstream.hear<{ url: string }>()
  const clients = startWorker('./load.ts')
  const rows: string[][] = []
  for (const distance of distances) {
    const services = startWorker('./services.ts')
    const { url } = await services.ask<{ url: string }>({ upstream: sandbox.url, ...distance })
    const starter = createStarter(url, refusingNone)
    const alone = await starter.start('tessera')
    const sharing = await starter.start('tessera-sharing')
    const ask = async (one: Candidate, load: Partial<LoadTask>): Promise<Turn> => {
      const before = await callsOf(services)
      const task: LoadTask = {
        url: one.url,
        headers: one.headers,
        operation: operation.name,
        seconds: 60,
        from: 0,
        ...load,
      }
      const { failures, firstFailure, p50, p99, ...done } = await clients.ask<LoadResult>({ ...task })
      if (failures > 0) throw new Error(`${one.name} answered wrongly: ${firstFailure}`)
      if (load.requests !== undefined && done.requests < load.requests)
        throw new Error(
          `${one.name} answered ${done.requests} of ${load.requests} requests in ${task.seconds} s`,
        )
      return { calls: (await callsOf(services)) - before, p50, p99 }
    }
    for (const one of [alone, sharing]) await ask(one, { seconds: warmUpSeconds })
    const found: Turns = { alone: [], sharing: [] }
    for (let round = 0; round < rounds; round++) {
      const load = { requests, from: round * requests }
      const turns = [
        async () => found.alone.push(await ask(alone, load)),
        async () => found.sharing.push(await ask(sharing, load)),
      ]
      // The order changes, so that the noise of the machine affects both equally.
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    const { delayMs, varies } = distance
    rows.push([varies ? `${delayMs} ± ${delayMs / 2}` : String(delayMs), ...figuresOf(found)])
    console.log(rows.at(-1)?.join('  '))
    await end([...alone.pids, ...sharing.pids, services.pid])
  }
  const head = ['delay, ms', 'calls alone', 'sharing', 'p50 alone, ms', 'sharing', 'ratio']
  return `# Call sharing with distant services

${new Date().toISOString().slice(0, 10)}. ${machine}. ${operation.connections} clients send ${requests} requests with one lookup each. Services answer from memory after the delay in the first column (with ±: a delay spread evenly over that range). \`TESSERA_SHARE_CALLS=false\` and the default (sharing) take turns. Medians of ${rounds} rounds, and of their ratios.

${table([...head, 'p99 alone, ms', 'sharing', 'ratio'], rows)}
`
}

async function callsOf(services: Worker): Promise<number> {
  return (await services.ask<{ calls: number }>('count')).calls
}

function figuresOf({ alone, sharing }: Turns): string[] {
  const of = (figure: keyof Turn, digits: number): string[] =>
    [alone, sharing].map((turns) => median(turns.map((turn) => turn[figure])).toFixed(digits))
  const ratio = (figure: keyof Turn): string =>
    median(sharing.map((turn, at) => turn[figure] / (alone[at]?.[figure] ?? Number.NaN))).toFixed(2)
  return [...of('calls', 0), ...of('p50', 1), ratio('p50'), ...of('p99', 1), ratio('p99')]
}
