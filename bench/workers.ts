/**
 * `npm run bench -- --workers`: the gain of a second worker. `tessera serve` as one process, with two workers, and
 * (as a control) as two processes without a primary on one port each have the same load in turns. Services that
 * respond from memory and clients on raw sockets share the machine with them.
 *
 * On a machine of two cores the requests per second say little, because the clients and the services use the core
 * of the second worker. The gateway's own figures are the CPU time of all its processes per request, and how evenly
 * the workers share the requests. Together they tell the throughput of two workers that have two cores to
 * themselves.
 *
 * A request costs less in a process that is never idle, because it finds more requests in each turn of its event
 * loop. Beside clients and services on the same two cores one process is never idle, but two workers are. So the
 * CPU time is measured a second time, with the gateway on one core and everything else on the other, so that
 * neither is idle. Two processes on one core evict each other's caches, so the cost of a worker on its own core is
 * measured with the other one stopped.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Candidate, createStarter, refusingNone } from './candidates.ts'
import type { LoadResult, LoadTask } from './load.ts'
import { median } from './median.ts'
import type { Operation } from './operations.ts'
import { cpuOf, pin, startWorker, type Worker } from './processes.ts'
import { table } from './report.ts'

export interface WorkersOptions {
  readonly rounds: number
  /** Seconds of each turn. */
  readonly seconds: number
  readonly operations: readonly Operation[]
  readonly machine: string
}

interface Served extends Candidate {
  /** The processes that answer requests, without the primary. */
  readonly workers: readonly number[]
  /** Further addresses. */
  readonly beside: readonly string[]
}

/** `alone` is one of the two workers while the other is stopped. */
type Kind = 'one' | 'two' | 'apart' | 'alone'

/** The figures of one turn: requests per second, and microseconds of CPU time per request. */
interface Turn {
  readonly rps: number
  readonly gateway: number
  /** The primary's part of it; 0 if there is none. */
  readonly primary: number
  /** The CPU time of clients and services. */
  readonly others: number
  /** The busiest worker's share of the time of all of them. */
  readonly busiest: number
}

type Turns = Readonly<Record<Kind, Turn[]>>

const most = 2
const warmUpSeconds = 8

export async function measureWorkers(options: WorkersOptions): Promise<string> {
  const { rounds, seconds, operations } = options
  const upstream = startWorker('./upstream.ts')
  const sandbox = await upstream.hear<{ url: string }>()
  const services = startWorker('./services.ts')
  const { url } = await services.ask<{ url: string }>({ upstream: sandbox.url })
  const clients = startWorker('./load.ts')
  const one = await serve(url, 1)
  const two = await serve(url, most)
  const apart = await serveApart(url)
  const others = [upstream.pid, services.pid, clients.pid]

  const rows: string[][] = []
  for (const operation of operations) {
    const turn = (kind: Kind, length = seconds): Promise<Turn> => {
      const run = { operation, clients, others, seconds: length }
      return kind === 'alone' ? loadAlone(two, run) : load({ one, two, apart }[kind], run)
    }
    // Each process compiles its frequent code by itself, so two workers take twice as long.
    for (const kind of ['one', 'two', 'two', 'apart', 'apart'] as const) await turn(kind, warmUpSeconds)
    const inTurns = async (kinds: readonly Kind[]): Promise<Turns> => {
      const turns: Turns = { one: [], two: [], apart: [], alone: [] }
      for (let round = 0; round < rounds; round++) {
        // The order changes, so that the noise of the machine affects all equally.
        const first = round % kinds.length
        for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)])
          turns[kind].push(await turn(kind))
      }
      return turns
    }
    const together = await inTurns(['one', 'two', 'apart'])
    const gateways = [...one.pids, ...two.pids, ...apart.pids]
    const busy =
      pin(gateways, 0) && pin(others, 1) ? await inTurns(['one', 'two', 'apart', 'alone']) : undefined
    pin([...gateways, ...others], 'all')
    rows.push(rowOf(operation.name, together, busy))
    console.log(rows.at(-1)?.join('  '))
  }
  return printed(options, rows)
}

const start = (upstream: string, workers: number): Promise<Candidate> =>
  createStarter(upstream, { ...refusingNone, TESSERA_WORKERS: String(workers) }).start('tessera')

async function serve(upstream: string, workers: number): Promise<Served> {
  const candidate = await start(upstream, workers)
  const [primary = 0] = candidate.pids
  if (workers === 1) return { ...candidate, workers: candidate.pids, beside: [] }
  const health = new URL('/health/ready', candidate.url)
  for (;;) {
    const { workers: found } = (await (await fetch(health)).json()) as { workers: { ready: number } }
    if (found.ready === workers) break
    await delay(50)
  }
  const children = childrenOf(primary)
  return { ...candidate, workers: children, beside: [], pids: [primary, ...children] }
}

/** As many separate processes, each on its own port. */
async function serveApart(upstream: string): Promise<Served> {
  const first = await start(upstream, 1)
  const further: Candidate[] = []
  while (further.length < most - 1) further.push(await start(upstream, 1))
  const pids = [first, ...further].flatMap((one) => one.pids)
  return { ...first, pids, workers: pids, beside: further.map(({ url }) => url) }
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text
    .trim()
    .split(' ')
    .map((child) => Number(child))
}

interface Run {
  readonly operation: Operation
  readonly clients: Worker
  readonly others: readonly number[]
  readonly seconds: number
}

async function load(
  { url, headers, pids, workers, beside }: Served,
  { operation, clients, others, seconds }: Run,
  asked = workers.length,
): Promise<Turn> {
  // The same number for each worker, because more connections save a worker some work per turn of its event loop.
  const connections = operation.connections * asked
  const task: LoadTask = { url, headers, operation: operation.name, seconds, from: 0, connections, beside }
  const before = new Map(pids.map((pid) => [pid, cpuOf([pid])]))
  const othersBefore = cpuOf(others)
  const result = await clients.ask<LoadResult>(JSON.parse(JSON.stringify(task)))
  const used = (pid: number): number => cpuOf([pid]) - (before.get(pid) ?? 0)
  const all = sum(pids.map(used))
  const ofWorkers = workers.map(used)
  const { requests, failures, firstFailure } = result
  if (failures > 0) throw new Error(`${operation.name} was answered wrongly: ${firstFailure}`)
  return {
    rps: requests / result.seconds,
    gateway: all / requests,
    primary: (all - sum(ofWorkers)) / requests,
    others: (cpuOf(others) - othersBefore) / requests,
    busiest: Math.max(...ofWorkers) / sum(ofWorkers),
  }
}

/**
 * A worker gets a connection when it has accepted the last one. A stopped worker accepts none: it holds one of as
 * many idle connections as there are workers, and the others get all later ones.
 */
async function loadAlone(served: Served, run: Run): Promise<Turn> {
  const { hostname, port } = new URL(served.url)
  const [, ...stopped] = served.workers
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  const sockets = served.workers.map(() => connect(Number(port), hostname))
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    await delay(200)
    const turn = await load(served, run, 1)
    if (turn.busiest < 0.99) throw new Error('a worker that was stopped had requests')
    return turn
  } finally {
    for (const socket of sockets) socket.destroy()
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
}

const of = (turns: readonly Turn[], figure: keyof Turn): number => median(turns.map((turn) => turn[figure]))

/** The median of the ratios of turns in the same round. */
const ratioOf = (turns: Turns, figure: keyof Turn, kind: Kind, to: Kind = 'one'): number =>
  median(turns[kind].map((turn, at) => turn[figure] / (turns[to][at]?.[figure] ?? Number.NaN)))

/** `busy` has the turns in which the gateway had one core to itself; undefined if it cannot be pinned to one. */
function rowOf(name: string, together: Turns, busy: Turns | undefined): string[] {
  const { one, two } = together
  const busiest = of(two, 'busiest')
  const gatewayOfOne = of(one, 'gateway')
  const others = of(one, 'others')
  // One worker cannot use more than one core, and all together no more than the machine has.
  const boundOfOne = Math.min(1 / gatewayOfOne, most / (gatewayOfOne + others))
  const boundOfTwo = most / (of(two, 'gateway') + of(two, 'others'))
  const costs = (turns: Turns | undefined, kind: Kind, to?: Kind): string =>
    turns === undefined ? '–' : ratioOf(turns, 'gateway', kind, to).toFixed(2)
  return [
    name,
    of(one, 'rps').toFixed(0),
    of(two, 'rps').toFixed(0),
    ratioOf(together, 'rps', 'two').toFixed(2),
    (boundOfTwo / boundOfOne).toFixed(2),
    (gatewayOfOne / 1000).toFixed(3),
    costs(together, 'two'),
    costs(together, 'apart'),
    busy === undefined ? '–' : (of(busy.one, 'gateway') / 1000).toFixed(3),
    costs(busy, 'two'),
    costs(busy, 'apart'),
    costs(busy, 'two', 'apart'),
    costs(busy, 'alone'),
    of(two, 'primary').toFixed(1),
    (others / 1000).toFixed(3),
    busiest.toFixed(2),
    busy === undefined ? '–' : (1 / busiest / ratioOf(busy, 'gateway', 'alone')).toFixed(2),
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
    'workers/one',
    'apart/one',
    'on a core: one, ms',
    'workers/one',
    'apart/one',
    'workers/apart',
    'a worker alone/one',
    'primary, µs',
    'others, ms',
    'busiest',
    'with own cores',
  ]
  return `# Gain of a second worker

${new Date().toISOString().slice(0, 10)}. ${machine}. \`tessera serve\` runs as one process, with \`TESSERA_WORKERS=2\` (a primary and two workers), and as two separate processes with a port each (apart), in turns: ${rounds} rounds of ${seconds} s. Each worker has as many clients as the one process. The figures are medians of the rounds, and of the ratios of turns of the same round. Clients on raw sockets and services that answer from memory share the two cores with the gateway.

${table(header, rows)}

- **CPU** is the user and system time per request of all processes of the gateway. The primary has its own column as well: it accepts the connections, which are new in each turn. **Others** is the time of clients and services. The next ratios compare CPU.
- **Apart** is the control: two independent processes. Their extra cost over one process comes from sharing cores and caches, not from workers. **Workers/apart** is what workers add.
- **On a core** has all processes of the gateway on one core and everything else on the other, so that no worker is ever idle. A worker that is idle between requests finds fewer of them in each turn of its event loop, and each costs more. Clients and services use the same two cores, so two workers cannot be busy all the time as one is.
- **A worker alone** has that core to itself, because the other worker is stopped. It is like a worker with its own core, except for what cores share (the last-level cache, memory).
- **At most here** is the ratio that two cores allow with these figures. One worker is bound by its one core, or together with the others by both; two workers are bound by both. A measured ratio near it means that only CPU limits them.
- **Busiest** is the busier worker's share of the time of both; half each is even.
- **With own cores** is the throughput of two workers relative to one, if the two have two cores to themselves and everything else has others. It follows from the share of the busier worker and the cost of a request in a worker alone. Two workers share no lock and no memory, and a request on an open connection passes no other process.

With one worker, the default, there is no primary: it is the same process as without workers.
`
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
