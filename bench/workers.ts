/**
 * `npm run bench -- --workers`: what a second worker is worth. `tessera serve` as one process and with two workers, side
 * by side, answer the same load in turns; services that answer from memory and clients on raw sockets share the
 * machine with them.
 *
 * On a machine of two cores the requests a second say little: the clients and the services run on the cores that the
 * second worker is to use. What is the gateway's own is the CPU time of all its processes for a request, and how evenly
 * the workers share the requests; from both follows what two workers answer where they have two cores to themselves.
 *
 * A request costs less in a process that is never idle, since it finds more requests in each turn of its event loop.
 * Beside clients and services on the same two cores one process is never idle, but two workers are. So the CPU time is
 * measured a second time, with the gateway on one core and everything else on the other, where neither is idle.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Candidate, createStarter, refusingNone } from './candidates.ts'
import type { LoadResult, LoadTask } from './load.ts'
import type { Operation } from './operations.ts'
import { cpuOf, pin, startWorker, type Worker } from './processes.ts'
import { table } from './report.ts'

export interface WorkersOptions {
  readonly rounds: number
  /** Of each turn. */
  readonly seconds: number
  readonly operations: readonly Operation[]
  readonly machine: string
}

interface Served extends Candidate {
  readonly workers: number
}

/** Of one turn: requests a second, and microseconds of CPU a request. */
interface Turn {
  readonly rps: number
  readonly gateway: number
  /** Of it, the primary's; 0 where there is none. */
  readonly primary: number
  /** Of clients and services. */
  readonly others: number
  /** The busiest worker's share of the time of all of them. */
  readonly busiest: number
}

interface Turns {
  readonly ones: Turn[]
  readonly twos: Turn[]
}

const most = 2
const warmUpSeconds = 8

export async function measureWorkers(options: WorkersOptions): Promise<string> {
  const { rounds, seconds, operations } = options
  const upstream = startWorker('./upstream.ts')
  const sandbox = await upstream.hear<{ url: string }>()
  const services = startWorker('./overload/services.ts')
  const { url } = await services.ask<{ url: string }>({ upstream: sandbox.url })
  const clients = startWorker('./load.ts')
  const one = await serve(url, 1)
  const two = await serve(url, most)
  const others = [upstream.pid, services.pid, clients.pid]

  const rows: string[][] = []
  for (const operation of operations) {
    const turn = (gateway: Served, length = seconds): Promise<Turn> =>
      load({ gateway, operation, clients, others, seconds: length })
    // Each process compiles what it runs often by itself: two workers take twice as long to get there.
    for (const gateway of [one, two, two]) await turn(gateway, warmUpSeconds)
    const inTurns = async (): Promise<Turns> => {
      const turns: Turns = { ones: [], twos: [] }
      for (let round = 0; round < rounds; round++) {
        // Who goes first changes: what the machine does beside this is to meet both alike.
        const order = round % 2 === 0 ? [one, two] : [two, one]
        for (const gateway of order) (gateway === one ? turns.ones : turns.twos).push(await turn(gateway))
      }
      return turns
    }
    const together = await inTurns()
    const gateways = [...one.pids, ...two.pids]
    const busy = pin(gateways, 0) && pin(others, 1) ? await inTurns() : undefined
    pin([...gateways, ...others], 'all')
    rows.push(rowOf(operation.name, together, busy))
    console.log(rows.at(-1)?.join('  '))
  }
  return printed(options, rows)
}

async function serve(upstream: string, workers: number): Promise<Served> {
  const env = { ...refusingNone, TESSERA_WORKERS: String(workers) }
  const candidate = await createStarter(upstream, env).start('tessera')
  const [primary = 0] = candidate.pids
  if (workers === 1) return { ...candidate, workers }
  const health = new URL('/health/ready', candidate.url)
  for (;;) {
    const { workers: found } = (await (await fetch(health)).json()) as { workers: { ready: number } }
    if (found.ready === workers) break
    await delay(50)
  }
  return { ...candidate, workers, pids: [primary, ...childrenOf(primary)] }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text
    .trim()
    .split(' ')
    .map((child) => Number(child))
}

async function load({
  gateway,
  operation,
  clients,
  others,
  seconds,
}: {
  readonly gateway: Served
  readonly operation: Operation
  readonly clients: Worker
  readonly others: readonly number[]
  readonly seconds: number
}): Promise<Turn> {
  const { url, headers, pids, workers } = gateway
  // As many for each worker: one that answers more of them in a turn of its event loop saves some work by that.
  const connections = operation.connections * workers
  const task: LoadTask = { url, headers, operation: operation.name, seconds, from: 0, connections }
  const before = pids.map((pid) => cpuOf([pid]))
  const othersBefore = cpuOf(others)
  const result = await clients.ask<LoadResult>(JSON.parse(JSON.stringify(task)))
  const used = pids.map((pid, at) => cpuOf([pid]) - (before[at] ?? 0))
  const { requests, failures, firstFailure } = result
  if (failures > 0) throw new Error(`${operation.name} was answered wrongly: ${firstFailure}`)
  const ofWorkers = workers === 1 ? used : used.slice(1)
  return {
    rps: requests / result.seconds,
    gateway: sum(used) / requests,
    primary: (sum(used) - sum(ofWorkers)) / requests,
    others: (cpuOf(others) - othersBefore) / requests,
    busiest: Math.max(...ofWorkers) / sum(ofWorkers),
  }
}

const of = (turns: readonly Turn[], figure: keyof Turn): number => median(turns.map((turn) => turn[figure]))

/** The median of the ratios of turns that were beside each other. */
const ratioOf = ({ ones, twos }: Turns, figure: keyof Turn): number =>
  median(twos.map((turn, at) => turn[figure] / (ones[at]?.[figure] ?? Number.NaN)))

/** `busy` is of turns in which the gateway had one core to itself; undefined where it cannot be pinned to one. */
function rowOf(name: string, together: Turns, busy: Turns | undefined): string[] {
  const { ones, twos } = together
  const costs = ratioOf(busy ?? together, 'gateway')
  const busiest = of(twos, 'busiest')
  const gatewayOfOne = of(ones, 'gateway')
  const others = of(ones, 'others')
  // One worker cannot use more than one core, and all together no more than there are.
  const boundOfOne = Math.min(1 / gatewayOfOne, most / (gatewayOfOne + others))
  const boundOfTwo = most / (of(twos, 'gateway') + of(twos, 'others'))
  return [
    name,
    of(ones, 'rps').toFixed(0),
    of(twos, 'rps').toFixed(0),
    ratioOf(together, 'rps').toFixed(2),
    (boundOfTwo / boundOfOne).toFixed(2),
    (gatewayOfOne / 1000).toFixed(3),
    (of(twos, 'gateway') / 1000).toFixed(3),
    ratioOf(together, 'gateway').toFixed(2),
    busy === undefined ? '–' : (of(busy.ones, 'gateway') / 1000).toFixed(3),
    busy === undefined ? '–' : (of(busy.twos, 'gateway') / 1000).toFixed(3),
    busy === undefined ? '–' : costs.toFixed(2),
    of(twos, 'primary').toFixed(1),
    (others / 1000).toFixed(3),
    busiest.toFixed(2),
    (1 / busiest / costs).toFixed(2),
  ]
}

function printed({ rounds, seconds, machine }: WorkersOptions, rows: readonly string[][]): string {
  const header = [
    'operation',
    'one/s',
    'two/s',
    'two/one',
    'at most here',
    'CPU one, ms',
    'CPU two, ms',
    'CPU two/one',
    'CPU one on a core, ms',
    'CPU two on a core, ms',
    'two/one on a core',
    'primary, µs',
    'others, ms',
    'busiest',
    'with own cores',
  ]
  return `# What a second worker is worth

${new Date().toISOString().slice(0, 10)}. ${machine}. \`tessera serve\` as one process, and with \`TESSERA_WORKERS=2\` (a primary and two workers), in turns: ${rounds} rounds of ${seconds} s each, with as many clients for each worker as for the one process; medians of the rounds, and of the ratios of turns beside each other. Clients on raw sockets and services that answer from memory share the two cores with the gateway.

${table(header, rows)}

- **CPU** is user and system time a request of all processes of the gateway, the primary included (its own part is in a column of its own: it accepts the connections, which are new in each turn); **others** is that of clients and services.
- **On a core**: the same with all processes of the gateway on one core and everything else on the other, so that no worker is ever idle. A worker that is idle between requests finds fewer of them in each turn of its event loop, and a request costs more by that; beside the clients and the services two workers cannot be busy all the time on two cores, as one is.
- **At most here** is the ratio that two cores allow with these figures: one worker is bound by its one core, or together with the others by both; two workers by both. A measured ratio near it means that nothing but CPU is waited for.
- **Busiest** is the busier worker's share of the time of both; half each is even.
- **With own cores** is what two workers answer, in terms of one, where they have two cores to themselves and everything else has others: the cores that the busier one leaves to the other, less what a request costs more on a core. Two workers share no lock and no memory, and a request on a connection that is kept passes no other process.

With one worker, the default, there is no primary: it is the same process as without workers.
`
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
