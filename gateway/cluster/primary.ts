/**
 * The primary of several workers that serve one port. It starts them, replaces those that end, drains them at the end
 * and exchanges them one by one at a reload. It accepts connections and hands each to the next worker (`cluster`), and
 * combines their metrics and health. Shared state is in Redis. It answers no request itself.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { oneAtATime } from '../../shared/runtime/one-at-a-time.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { Logger } from '../telemetry/log.ts'
import type { ProcessMetrics } from '../telemetry/metrics/index.ts'
import type { ProcessUsage } from '../telemetry/usage/index.ts'
import { type Channel, createChannel, untilSilent } from './channel.ts'
import { addMetrics, createPrimaryMetrics, keepCounts, worstOf } from './gathering.ts'
import { createRestarts, mostRestarts, withinMs } from './restarts.ts'
import type { Ready, Welcome, WorkerHealth } from './worker.ts'

interface PrimaryOptions {
  readonly workers: number
  /** What each worker receives when it starts. */
  readonly welcome: Omit<Welcome, 'worker'>
  readonly log: Logger
  /** How long a worker may take to stop before it is killed. */
  readonly stopMs: number
  /** The first worker serves: the lines to print. */
  readonly onServing: (ready: Ready) => void
}

/** How long a worker may take to report its state. */
const gatherMs = 500
/** The number of ended workers whose usage is reported: those that a few reloads exchange. */
const mostPastUsage = 32
/** How long a new worker may take until it serves. */
const startMs = 120_000
/**
 * A worker that answers nothing for this long is killed: it hangs, and still gets new connections. It is
 * long because a snapshot of a large heap also holds up a worker.
 */
const silentMs = 60_000
/** How long an old worker waits, at a reload, for its connections to end. */
const handOverMs = 5000

interface WorkerProcess {
  readonly id: number
  readonly worker: Worker
  readonly channel: Channel
  ready: boolean
  /** The primary asked it to end. */
  leaving: boolean
  /** Its metrics at the last request. */
  metrics: ProcessMetrics
  readonly serves: Promise<Ready>
  readonly ended: Promise<void>
}

export class Primary {
  readonly #options: PrimaryOptions
  readonly #log: Logger
  readonly #restarts = createRestarts()
  readonly #running = new Map<number, WorkerProcess>()
  readonly #failed = Promise.withResolvers<string>()
  #past: ProcessMetrics = []
  readonly #pastUsage: ProcessUsage[] = []
  #keeping = Promise.resolve()
  readonly #stop = new AbortController()
  #served = false
  #lastId = 0
  #restarted = 0
  readonly #own
  /** Resolves when it has ended by itself, with the reason in words. */
  readonly failed: Promise<string>

  constructor(options: PrimaryOptions) {
    this.#options = options
    this.#log = options.log
    this.#own = createPrimaryMetrics(() => ({
      wanted: options.workers,
      ready: this.#readyOnes().length,
      restarted: this.#restarted,
    }))
    // Numbers such as Infinity and NaN do not pass through JSON.
    cluster.setupPrimary({ serialization: 'advanced' })
    for (let n = 0; n < options.workers; n++) this.#start()
    this.failed = this.#failed.promise
  }

  /** Exchanges all workers, one after the other: a new one serves before an old one leaves. */
  readonly reload: () => Promise<void> = oneAtATime(async () => {
    try {
      await this.#exchange()
    } finally {
      // A worker that ended during the exchange was not replaced if there was one more at that time.
      this.#fill()
    }
  })

  /** Lets all drain, and kills those that take too long. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all([...this.#running.values()].map((one) => this.#leave(one, 'stop')))
    this.#own.close()
  }

  #staying(): WorkerProcess[] {
    return [...this.#running.values()].filter(({ leaving }) => !leaving)
  }

  #readyOnes(): WorkerProcess[] {
    return this.#staying().filter(({ ready }) => ready)
  }

  /** The replies of all workers that reply in time. */
  async #gather<Answer>(what: string): Promise<{ readonly from: WorkerProcess; readonly answer: Answer }[]> {
    const asked = await Promise.all(
      [...this.#running.values()]
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

  readonly #metrics = async (): Promise<string> => {
    for (const { from, answer } of await this.#gather<ProcessMetrics>('metrics')) from.metrics = answer
    await this.#keeping
    return addMetrics(
      [await this.#own.read(), ...[...this.#running.values()].map((one) => one.metrics)],
      this.#past,
    )
  }

  /** The figures of the workers that serve, and of the last ones that have ended. */
  readonly #usage = async (): Promise<readonly ProcessUsage[]> => {
    const answers = await this.#gather<ProcessUsage | undefined>('usage')
    return [...this.#pastUsage, ...answers.flatMap(({ answer }) => answer ?? [])]
  }

  readonly #health = async (): Promise<object> => {
    const reports = await this.#gather<WorkerHealth>('health')
    return {
      services: worstOf(reports.map(({ answer }) => answer.services)),
      workers: { wanted: this.#options.workers, ready: this.#readyOnes().length },
    }
  }

  #start(): WorkerProcess {
    this.#lastId += 1
    const id = this.#lastId
    const worker = cluster.fork()
    const channel = createChannel((message) => {
      if (worker.isConnected()) worker.send(message as object, () => {})
    })
    const serves = Promise.withResolvers<Ready>()
    serves.promise.catch(() => {})
    const late = new Error(`it did not serve within ${startMs / 1000} s`)
    setTimeout(() => serves.reject(late), startMs).unref()
    const ended = Promise.withResolvers<void>()
    const one: WorkerProcess = {
      id,
      worker,
      channel,
      ready: false,
      leaving: false,
      metrics: [],
      serves: serves.promise,
      ended: ended.promise,
    }
    this.#running.set(id, one)
    channel.onAsk('welcome', () => ({ ...this.#options.welcome, worker: id }) satisfies Welcome)
    channel.onAsk('all.metrics', this.#metrics)
    channel.onAsk('all.health', this.#health)
    channel.onAsk('all.usage', this.#usage)
    channel.onTell('usage', (body) => {
      if (body === undefined) return
      this.#pastUsage.push(body as ProcessUsage)
      if (this.#pastUsage.length > mostPastUsage) this.#pastUsage.shift()
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
      if (!this.#served) {
        this.#served = true
        this.#options.onServing(body as Ready)
      }
      void untilSilent(channel, 'health', silentMs).then(() => {
        if (!this.#running.has(id)) return
        why = `it answered nothing for ${silentMs / 1000} s`
        worker.process.kill('SIGKILL')
      })
    })
    worker.on('message', channel.receive)
    worker.once('error', (error) => {
      why ??= error.message
    })
    worker.once('exit', (code, signal) => {
      this.#running.delete(id)
      channel.end()
      this.#keeping = this.#keeping.then(async () => {
        this.#past = await keepCounts(this.#past, one.metrics)
      })
      ended.resolve()
      serves.reject(new Error(why ?? 'it ended'))
      if (this.#stop.signal.aborted || one.leaving) return
      const how = signal === null ? `code ${code}` : `signal ${signal}`
      this.#replace(one, `worker ${id} ended with ${how}${why === undefined ? '' : `: ${why}`}`)
    })
    return one
  }

  #replace({ ready }: WorkerProcess, how: string): void {
    // A graph that cannot be served is reported once: the next worker would fail in the same way.
    if (!this.#served && !ready) {
      this.#failed.resolve(how)
      return
    }
    // During an exchange there is one worker more, and the exchange logs itself why its new worker ended.
    if (this.#staying().length >= this.#options.workers) {
      if (ready) this.#log.error(how)
      return
    }
    const ms = this.#restarts.next(performance.now())
    if (ms === undefined) {
      this.#failed.resolve(`${how}; more than ${mostRestarts} workers ended within ${withinMs / 1000} s`)
      return
    }
    this.#restarted += 1
    this.#log.error({ restartInMs: ms }, how)
    // The timer keeps the process, which has nothing else if no worker is left.
    delay(ms, undefined, { signal: this.#stop.signal }).then(
      () => this.#fill(),
      () => {},
    )
  }

  #fill(): void {
    while (!this.#stop.signal.aborted && this.#staying().length < this.#options.workers) this.#start()
  }

  async #leave(one: WorkerProcess, how: 'stop' | 'hand-over'): Promise<void> {
    one.leaving = true
    one.channel.tell(how, handOverMs)
    const timer = setTimeout(
      () => one.worker.process.kill('SIGKILL'),
      this.#options.stopMs + (how === 'stop' ? 0 : handOverMs),
    )
    await one.ended
    clearTimeout(timer)
  }

  async #exchange(): Promise<void> {
    const old = [...this.#running.values()]
    this.#log.info({ workers: old.length }, 'reload: workers are exchanged')
    for (const one of old) {
      if (this.#stop.signal.aborted) return
      const next = this.#start()
      try {
        await next.serves
      } catch (error) {
        next.leaving = true
        next.worker.process.kill('SIGKILL')
        this.#log.error({ reason: messageOf(error) }, 'reload: a new worker could not serve; the others stay')
        return
      }
      if (this.#running.has(one.id)) await this.#leave(one, 'hand-over')
    }
    this.#log.info({ workers: this.#running.size }, 'reload: all workers are new')
  }
}
