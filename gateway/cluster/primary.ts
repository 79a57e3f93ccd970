/**
 * The primary of several workers that serve one port. It starts them, replaces those that end, drains them at the end
 * and exchanges them one by one at a reload. It accepts connections and hands each to the next worker (`cluster`), and
 * combines their metrics and health. Shared state is in Redis. It answers no request itself.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../telemetry/log.ts'
import type { ProcessMetrics } from '../telemetry/metrics/index.ts'
import type { ProcessUsage } from '../telemetry/usage/index.ts'
import { type Channel, createChannel } from './channel.ts'
import { addMetrics, keepCounts, worstOf } from './gathering.ts'
import { createPrimaryMetrics } from './primary-metrics.ts'
import { createRestarts, mostRestarts, withinMs } from './restarts.ts'
import type { Ready, Welcome, WorkerHealth } from './welcome.ts'

export interface PrimaryOptions {
  readonly workers: number
  /** What each worker receives when it starts. */
  readonly welcome: Omit<Welcome, 'worker'>
  readonly log: Logger
  /** How long a worker may take to stop before it is killed. */
  readonly stopMs: number
  /** The first worker serves: the lines to print. */
  readonly onServing: (ready: Ready) => void
}

export interface Primary {
  /** Resolves when it has ended by itself, with the reason in words. */
  readonly failed: Promise<string>
  /** Exchanges all workers, one after the other: a new one serves before an old one leaves. */
  reload(): Promise<void>
  /** Lets all drain, and kills those that take too long. */
  stop(): Promise<void>
}

/** How long a worker may take to report its state. */
const gatherMs = 500
/** The number of ended workers whose usage is reported: those that a few reloads exchange. */
const mostPastUsage = 32
/** How long a new worker may take until it serves. */
const startMs = 120_000
/** How long an old worker waits, at a reload, for its connections to end. */
const handOverMs = 5000

interface Running {
  readonly id: number
  readonly worker: Worker
  readonly channel: Channel
  ready: boolean
  /** It was told to end. */
  leaving: boolean
  /** Its metrics at the last request. */
  metrics: ProcessMetrics
  readonly serves: Promise<Ready>
  readonly ended: Promise<void>
}

export function startPrimary(options: PrimaryOptions): Primary {
  const { log, welcome, stopMs } = options
  const restarts = createRestarts()
  const running = new Map<number, Running>()
  const failed = Promise.withResolvers<string>()
  let past: ProcessMetrics = []
  const pastUsage: ProcessUsage[] = []
  let keeping = Promise.resolve()
  let stopping = false
  let served = false
  let lastId = 0
  let restarted = 0
  const own = createPrimaryMetrics(() => ({
    wanted: options.workers,
    ready: readyOnes().length,
    restarted,
  }))
  const readyOnes = (): Running[] => [...running.values()].filter(({ ready, leaving }) => ready && !leaving)

  /** The replies of all workers that reply in time. */
  async function gather<Answer>(
    what: string,
  ): Promise<{ readonly from: Running; readonly answer: Answer }[]> {
    const asked = await Promise.all(
      [...running.values()]
        .filter(({ ready }) => ready)
        .map(async (from) => {
          try {
            return { from, answer: (await from.channel.ask(what, undefined, gatherMs)) as Answer }
          } catch {
            return undefined
          }
        }),
    )
    return asked.filter((one) => one !== undefined)
  }

  async function metrics(): Promise<string> {
    for (const { from, answer } of await gather<ProcessMetrics>('metrics')) from.metrics = answer
    await keeping
    return addMetrics([await own.read(), ...[...running.values()].map((one) => one.metrics)], past)
  }

  /** Of those that serve, and of the last that have ended. */
  async function usage(): Promise<readonly ProcessUsage[]> {
    const answers = await gather<ProcessUsage | undefined>('usage')
    return [...pastUsage, ...answers.flatMap(({ answer }) => answer ?? [])]
  }

  async function health(): Promise<object> {
    const reports = await gather<WorkerHealth>('health')
    return {
      services: worstOf(reports.map(({ answer }) => answer.services)),
      workers: { wanted: options.workers, ready: readyOnes().length },
    }
  }

  function start(): Running {
    lastId += 1
    const id = lastId
    const worker = cluster.fork()
    const channel = createChannel((message) => {
      if (worker.isConnected()) worker.send(message as object, () => {})
    })
    const serves = Promise.withResolvers<Ready>()
    serves.promise.catch(() => {})
    const ended = Promise.withResolvers<void>()
    const one: Running = {
      id,
      worker,
      channel,
      ready: false,
      leaving: false,
      metrics: [],
      serves: serves.promise,
      ended: ended.promise,
    }
    running.set(id, one)
    channel.onAsk('welcome', () => ({ ...welcome, worker: id }) satisfies Welcome)
    channel.onAsk('all.metrics', metrics)
    channel.onAsk('all.health', health)
    channel.onAsk('all.usage', usage)
    channel.onTell('usage', (body) => {
      if (body === undefined) return
      pastUsage.push(body as ProcessUsage)
      if (pastUsage.length > mostPastUsage) pastUsage.shift()
    })
    let why: string | undefined
    channel.onTell('failed', (body) => {
      why = String(body)
    })
    channel.onTell('metrics', (body) => {
      one.metrics = body as ProcessMetrics
    })
    channel.onTell('ready', (body) => {
      one.ready = true
      serves.resolve(body as Ready)
      if (!served) {
        served = true
        options.onServing(body as Ready)
      }
    })
    worker.on('message', channel.receive)
    worker.once('error', (error) => {
      why ??= error.message
    })
    worker.once('exit', (code, signal) => {
      running.delete(id)
      channel.end()
      keeping = keeping.then(async () => {
        past = await keepCounts(past, one.metrics)
      })
      ended.resolve()
      serves.reject(new Error(why ?? 'it ended'))
      if (stopping || one.leaving) return
      const how = signal === null ? `code ${code}` : `signal ${signal}`
      replace(one, `worker ${id} ended with ${how}${why === undefined ? '' : `: ${why}`}`)
    })
    return one
  }

  function replace({ ready }: Running, how: string): void {
    // A graph that cannot be served is reported once: the next worker would fail in the same way.
    if (!served && !ready) {
      failed.resolve(how)
      return
    }
    const ms = restarts.next(performance.now())
    if (ms === undefined) {
      failed.resolve(`${how}; more than ${mostRestarts} workers ended within ${withinMs / 1000} s`)
      return
    }
    restarted += 1
    log.error({ restartInMs: ms }, how)
    setTimeout(() => {
      if (!stopping) start()
    }, ms).unref()
  }

  async function leave(one: Running, how: 'stop' | 'hand-over'): Promise<void> {
    one.leaving = true
    one.channel.tell(how, handOverMs)
    const timer = setTimeout(
      () => one.worker.process.kill('SIGKILL'),
      stopMs + (how === 'stop' ? 0 : handOverMs),
    )
    await one.ended
    clearTimeout(timer)
  }

  let reloading: Promise<void> | undefined
  async function exchange(): Promise<void> {
    const old = [...running.values()]
    log.info({ workers: old.length }, 'reload: workers are exchanged')
    for (const one of old) {
      if (stopping) return
      const next = start()
      next.leaving = false
      const timer = new AbortController()
      try {
        await Promise.race([
          next.serves,
          delay(startMs, undefined, { ref: false, signal: timer.signal }).then(() => {
            throw new Error(`it did not serve within ${startMs / 1000} s`)
          }),
        ])
      } catch (error) {
        next.leaving = true
        next.worker.process.kill('SIGKILL')
        const reason = error instanceof Error ? error.message : String(error)
        log.error({ reason }, 'reload: a new worker could not serve; the others stay')
        return
      } finally {
        timer.abort()
      }
      if (running.has(one.id)) await leave(one, 'hand-over')
    }
    log.info({ workers: running.size }, 'reload: all workers are new')
  }

  // Numbers such as Infinity and NaN do not pass through JSON.
  cluster.setupPrimary({ serialization: 'advanced' })
  for (let n = 0; n < options.workers; n++) start()
  return {
    failed: failed.promise,
    reload() {
      reloading ??= exchange().finally(() => {
        reloading = undefined
      })
      return reloading
    },
    async stop() {
      stopping = true
      await Promise.all([...running.values()].map((one) => leave(one, 'stop')))
      own.close()
    },
  }
}
