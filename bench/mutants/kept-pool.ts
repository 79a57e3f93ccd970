/**
 * A pool for Vitest that keeps its thread from one run to the next. Stryker starts a run for each mutant, and
 * loading the source takes longer than most tests do. A mutant of code that runs while a module is loaded needs its
 * own thread. A thread is replaced after a number of runs, because each run leaves its test files in memory.
 */
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'
import { ThreadsPoolWorker } from 'vitest/node'

declare module 'vitest' {
  /** What Stryker's runner provides. */
  interface ProvidedContext {
    readonly mode: 'dry-run' | 'mutant'
    /** For mode `mutant`. */
    readonly mutantActivation: 'static' | 'runtime' | undefined
  }
}

const runsOfOneThread = 50

type Listener = (...args: unknown[]) => void

let kept: { readonly thread: ThreadsPoolWorker; runs: number } | undefined

class HotWorker implements PoolWorker {
  readonly name = 'kept'
  readonly #options: PoolOptions
  readonly #needsOwn: boolean
  readonly #listeners: [event: string, listener: Listener][] = []
  #thread: ThreadsPoolWorker | undefined
  #endedWell = false

  constructor(options: PoolOptions) {
    this.#options = options
    const { mode, mutantActivation } = options.project.getProvidedContext()
    this.#needsOwn = mode === 'mutant' && mutantActivation === 'static'
  }

  get #running(): ThreadsPoolWorker {
    if (this.#thread === undefined) throw new Error('expected a worker that was started')
    return this.#thread
  }

  async start(): Promise<void> {
    if (!this.#needsOwn && kept !== undefined) {
      this.#thread = kept.thread
      kept.runs += 1
      return
    }
    this.#thread = new ThreadsPoolWorker(this.#options)
    await this.#thread.start()
    if (!this.#needsOwn) kept = { thread: this.#thread, runs: 1 }
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#running.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    this.#running.off(event, listener)
  }

  deserialize(data: unknown): unknown {
    return data
  }

  send(message: WorkerRequest): void {
    if (message.type !== 'stop' || this.#needsOwn) {
      this.#running.send(message)
      return
    }
    // The thread stays. Only this worker ends with the run.
    this.#endedWell = true
    const stopped = { type: 'stopped', __vitest_worker_response__: true }
    for (const [event, listener] of this.#listeners.slice())
      if (event === 'message') queueMicrotask(() => listener(stopped))
  }

  async stop(): Promise<void> {
    const thread = this.#running
    for (const [event, listener] of this.#listeners.splice(0)) thread.off(event, listener)
    if (thread === kept?.thread) {
      if (this.#endedWell && kept.runs < runsOfOneThread) return
      kept = undefined
    }
    await thread.stop()
  }
}

export const keptPool: PoolRunnerInitializer = {
  name: 'kept',
  createPoolWorker: (options) => new HotWorker(options),
}
