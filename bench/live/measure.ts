/**
 * `npm run bench -- --live`: the cost of subscribers for the process that serves them. There is one gateway over a
 * metrics service with one series, and clients on their own connections in another process. Memory is measured
 * after a collection, with and without the subscribers. An event is one change of the series, which all of them
 * get.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { secret, token } from '../candidates.ts'
import { median } from '../median.ts'
import { startWorker, type Worker } from '../processes.ts'
import { table } from '../report.ts'
import type { Arrivals, ClientTask, Transport } from './clients.ts'
import type { Holding } from './gateway.ts'
import type { ServiceTask } from './service.ts'

export interface LiveOptions {
  readonly subscribers: number
  /** Changes of the series for each figure. */
  readonly changes: number
  readonly machine: string
}

const intervalMs = 1000
const query = 'subscription { metricsQuery(query: "changed_at") { series { sample { value } } } }'
/** It has so many bytes that the system's buffer for a client is full after a few events. */
const largeQuery = 'subscription { metricsQuery(query: "changed_at") { series { sample { value } metric } } }'
const largeBytes = 32_000
const idleMs = 10_000

interface LiveSetup {
  readonly service: Worker
  readonly gateway: Worker
  readonly clients: Worker
  readonly url: string
}

async function start(): Promise<LiveSetup> {
  const service = startWorker('./live/service.ts')
  const { url: metrics } = await service.hear<{ url: string }>()
  const gateway = startWorker('./live/gateway.ts', {
    args: ['--expose-gc'],
    env: {
      PORT: '0',
      TESSERA_METRICS_URL: metrics,
      // These services are never called.
      TESSERA_VIDEOS_URL: metrics,
      TESSERA_AGENTS_URL: metrics,
      TESSERA_MESSAGES_URL: metrics,
      TESSERA_METRICS_INTERVAL: `${intervalMs / 1000}s`,
      TESSERA_JWT_SECRET: secret,
      TESSERA_LOG_LEVEL: 'error',
      TESSERA_EXPLORER: 'off',
      TESSERA_MAX_CONNECTIONS: '50000',
      TESSERA_MAX_SUBSCRIPTIONS: '100000',
      TESSERA_MAX_SUBSCRIPTIONS_PER_CALLER: '100000',
      // Clients, service and gateway share the machine, so a late event loop says nothing about the gateway.
      TESSERA_MAX_WAIT_MS: '0',
    },
  })
  const { url } = await gateway.hear<{ url: string }>()
  const clients = startWorker('./live/clients.ts')
  return { service, gateway, clients, url }
}

const look = ({ gateway }: LiveSetup): Promise<Holding> => gateway.ask<Holding>({ collect: true })
let lastUser = 0
/** Each subscriber has another token. */
const subscribe = async (
  { clients, url }: LiveSetup,
  task: {
    readonly transport: Transport
    readonly count: number
    readonly query?: string
    readonly stops?: boolean
  },
): Promise<void> => {
  const tokens = await Promise.all(Array.from({ length: task.count }, () => token(`user ${++lastUser}`)))
  const open: ClientTask = { kind: 'open', url, tokens, query, stops: false, ...task }
  await clients.ask({ ...open })
}

/** Changes come one by one, at times that are independent of the polls. */
async function change(
  { service, clients }: LiveSetup,
  changes: number,
  readers: number,
  bytes = 0,
): Promise<Arrivals[]> {
  const all: Arrivals[] = []
  for (let nth = 0; nth < changes; nth++) {
    await delay(Math.random() * intervalMs)
    const task: ServiceTask = { kind: 'change', bytes }
    await service.ask({ ...task })
    const wait: ClientTask = { kind: 'await', events: readers, milliseconds: 30_000 }
    all.push(await clients.ask<Arrivals>({ ...wait }))
  }
  return all
}

const most = (values: readonly number[]): number => Math.max(...values)
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`

/** The memory with the first subscribers only, and with all of them. */
async function hold(
  parts: LiveSetup,
  transport: Transport,
  subscribers: number,
): Promise<{ readonly before: Holding; readonly held: Holding }> {
  // What the first subscribers allocate belongs to the process, and not to a subscriber.
  await subscribe(parts, { transport, count: 100 })
  await change(parts, 3, 100)
  const before = await look(parts)
  await subscribe(parts, { transport, count: subscribers })
  await change(parts, 2, subscribers)
  await delay(2000)
  return { before, held: await look(parts) }
}

const stop = async ({ clients, gateway, service }: LiveSetup): Promise<void> => {
  for (const worker of [clients, gateway, service]) await worker.stop()
}

/** Bytes of heap for each of so many subscribers. */
export async function subscriberHeap(transport: Transport, subscribers: number): Promise<number> {
  const parts = await start()
  try {
    const { before, held } = await hold(parts, transport, subscribers)
    return (held.heap - before.heap) / (held.subscriptions - before.subscriptions)
  } finally {
    await stop(parts)
  }
}

async function measureIdle(transport: Transport, { subscribers, changes }: LiveOptions): Promise<string[]> {
  const parts = await start()
  const { before, held } = await hold(parts, transport, subscribers)
  await delay(idleMs)
  const idle = await look(parts)
  const count = held.subscriptions - before.subscriptions
  const busy: { readonly cpu: number; readonly arrivals: Arrivals }[] = []
  for (let nth = 0; nth < changes; nth++) {
    const { cpu } = await parts.gateway.ask<Holding>({ collect: false })
    const [arrivals] = await change(parts, 1, subscribers + 100)
    if (arrivals === undefined) throw new Error('nothing arrived')
    await delay(100)
    busy.push({ cpu: (await parts.gateway.ask<Holding>({ collect: false })).cpu - cpu, arrivals })
  }
  await stop(parts)
  const each = (bytes: number): string => `${(bytes / count / 1000).toFixed(2)} kB`
  const idleCpu = (idle.cpu - held.cpu) / (idleMs * 10)
  const events = busy.map(({ arrivals }) => arrivals)
  if (events.some(({ events: got }) => got < subscribers + 100)) throw new Error('events are missing')
  return [
    transport === 'sse' ? 'server-sent events' : '`graphql-transport-ws`',
    String(count),
    each(held.heap - before.heap),
    each(held.external - before.external),
    each(held.rss - before.rss),
    `${idleCpu.toFixed(1)} %`,
    `${(median(busy.map(({ cpu }) => cpu)) / (subscribers + 100)).toFixed(1)} µs`,
    `${median(events.map(({ p50 }) => p50)).toFixed(0)} ms`,
    `${most(events.map(({ p99 }) => p99)).toFixed(0)} ms`,
  ]
}

/** One client continues to read while all others do not. */
async function measureStopped(transport: Transport, { subscribers }: LiveOptions): Promise<string[][]> {
  const parts = await start()
  const reader = { ...parts, clients: startWorker('./live/clients.ts') }
  await subscribe(reader, { transport, count: 1, query: largeQuery })
  const alone = await change(reader, 8, 1, largeBytes)
  await subscribe(parts, { transport, count: subscribers, query: largeQuery, stops: true })
  const rows: string[][] = []
  for (let round = 0; round < 6; round++) {
    const arrivals = await change(reader, 8, 1, largeBytes)
    const { heap, external, rss, subscriptions } = await look(parts)
    rows.push([
      transport === 'sse' ? 'server-sent events' : '`graphql-transport-ws`',
      String((round + 1) * 8),
      mebibytes(heap),
      mebibytes(external),
      mebibytes(rss),
      String(subscriptions - 1),
      `${median(arrivals.map(({ p50 }) => p50)).toFixed(0)} ms (${median(alone.map(({ p50 }) => p50)).toFixed(0)} alone)`,
    ])
  }
  await reader.clients.stop()
  await stop(parts)
  return rows
}

export async function measureLive(options: LiveOptions): Promise<string> {
  const idle: string[][] = []
  const stopped: string[][] = []
  for (const transport of ['sse', 'ws'] as const) {
    idle.push(await measureIdle(transport, options))
    console.log(idle.at(-1)?.join('  '))
  }
  for (const transport of ['sse', 'ws'] as const) {
    stopped.push(...(await measureStopped(transport, options)))
    console.log(stopped.at(-1)?.join('  '))
  }
  const today = new Date().toISOString().slice(0, 10)
  return `# Cost of subscribers

${today}. ${options.machine}. One gateway process polls a metrics service every ${intervalMs} ms. Each subscriber has its own connection and token, and all subscribe to the same gauge. Memory is measured after a collection, connections included, minus that of the process with 100 subscribers. CPU and times are medians of ${options.changes} events, and p99 is the worst of them. The clients run on the same machine.

${table(
  [
    'transport',
    'subscribers',
    'heap each',
    'external each',
    'resident each',
    'CPU of all while idle',
    'CPU per subscriber and event',
    'age at the client, p50',
    'p99',
  ],
  idle,
)}

The age is the time from the change at the service to the client, of which up to ${intervalMs} ms pass until the next poll.

## Clients that stop reading

${options.subscribers} subscribers read nothing after their first event, while events of ${largeBytes / 1000} kB continue. One more subscriber reads all of them.

${table(
  [
    'transport',
    'events so far',
    'heap',
    'external',
    'resident',
    'still subscribed',
    'age at the one that reads, p50',
  ],
  stopped,
)}
`
}
