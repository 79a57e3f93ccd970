/**
 * `npm run bench -- --reload`: what clients notice of reloads. One gateway over four plain subgraphs has the same
 * load in quiet turns and in turns in which new generations take over, a hundred times in all. The exit code is 1
 * if a request failed, or if the 99th percentile during reloads is more than twice that of quiet turns.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { supergraphAt } from './federated/graph.ts'
import { federatedOperations } from './federated/operations.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { median } from './median.ts'
import { start, startWorker } from './processes.ts'

const swaps = 100
/**
 * Fewer clients than the machine can serve at the same time, because the time of a response is measured, and not a
 * queue.
 */
const connections = 8

export interface ReloadOptions {
  /** Seconds of each turn. */
  readonly seconds: number
  readonly rounds: number
}

export async function measureReloads({ seconds, rounds }: ReloadOptions): Promise<number> {
  const subgraphs = startWorker('./federated/services.ts')
  const { url: origin } = await subgraphs.hear<{ url: string }>()
  const clients = startWorker('./load.ts')
  const supergraph = supergraphAt(origin)
  const file = join(mkdtempSync(join(tmpdir(), 'tessera-bench-')), 'supergraph.graphql')
  writeFileSync(file, supergraph)
  const gateway = await start(
    ['gateway/main.ts', 'serve', '--port', '0', '--supergraph', file],
    {
      TESSERA_LOG_LEVEL: 'silent',
      TESSERA_WATCH_MS: '0',
      // In a closed loop of clients, refusing one gains nothing.
      TESSERA_MAX_WAIT_MS: '0',
    },
    /graph +(http\S+)/,
  )
  const [operation] = federatedOperations
  if (operation === undefined) throw new Error('there is no operation')
  let from = 0
  const load = (): Promise<LoadResult> => {
    from += 5000
    const task: LoadTask = {
      url: gateway.found,
      headers: {},
      operation: operation.name,
      seconds,
      connections,
      from,
    }
    return clients.ask<LoadResult>({ ...task })
  }
  const health = `${new URL(gateway.found).origin}/health/ready`
  const generation = async (): Promise<number> =>
    ((await (await fetch(health)).json()) as { generation: { number: number } }).generation.number

  let swapped = 0
  /** Evenly over the turn, or as many as fit if one takes longer than its share. */
  async function swap(times: number): Promise<void> {
    const end = performance.now() + seconds * 1000
    for (let n = 0; n < times && performance.now() < end; n++) {
      const next = (await generation()) + 1
      swapped += 1
      writeFileSync(file, `# ${swapped}\n${supergraph}`)
      process.kill(gateway.pid, 'SIGHUP')
      while ((await generation()) < next) await delay(5)
      await delay(Math.max(0, (end - performance.now()) / (times - n)))
    }
  }

  for (let pass = 0; pass < 3; pass++) await load()
  const quiet: LoadResult[] = []
  const busy: LoadResult[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(await load())
    const [result] = await Promise.all([load(), swap(Math.ceil(swaps / rounds))])
    busy.push(result)
    console.log(`round ${round + 1} of ${rounds}`)
  }
  await gateway.stop()

  const line = (what: string, results: readonly LoadResult[]): string =>
    [
      what.padEnd(12),
      `${Math.round(median(results.map(({ requests, seconds: took }) => requests / took)))} req/s`,
      `p50 ${median(results.map(({ p50 }) => p50)).toFixed(2)} ms`,
      `p99 ${median(results.map(({ p99 }) => p99)).toFixed(2)} ms`,
      `${results.reduce((sum, { failures }) => sum + failures, 0)} failures`,
    ].join('  ')
  const ratio = median(busy.map(({ p99 }, at) => p99 / (quiet[at]?.p99 ?? Number.NaN)))
  console.log(line('quiet', quiet))
  console.log(line(`${swapped} swaps`, busy))
  console.log(`p99 under swaps is ${ratio.toFixed(2)} times that of the rest (median of ${rounds} rounds)`)
  const failures = [...quiet, ...busy].reduce((sum, each) => sum + each.failures, 0)
  return failures === 0 && ratio <= 2 ? 0 : 1
}
