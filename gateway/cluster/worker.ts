/** The primary as a worker sees it, and the messages between them at a worker's start and about its state. */
import cluster from 'node:cluster'
import type { Gateway } from '../app.ts'
import type { Shared, SharedHealth } from '../options.ts'
import type { ServiceState } from '../telemetry/health.ts'
import { createChannel } from './channel.ts'

/** What the primary may request of this process. */
type WorkerProcess = Pick<Gateway, 'metrics' | 'states' | 'usage'>

export type Membership = NonNullable<Awaited<ReturnType<typeof joinPrimary>>>

/** How long a worker waits for the primary at its start, and for combined reports. */
const welcomeMs = 30_000
const gatherMs = 2000

/** Undefined if this process is no worker. */
export async function joinPrimary() {
  const { worker } = cluster
  if (worker === undefined) return undefined
  const channel = createChannel((message) => {
    if (worker.isConnected()) process.send?.(message, undefined, undefined, () => {})
  })
  worker.on('message', channel.receive)
  const ordered = Promise.withResolvers<number | undefined>()
  channel.onTell('stop', () => ordered.resolve(undefined))
  channel.onTell('hand-over', (ms) => ordered.resolve(Number(ms)))
  const welcome = (await channel.ask('welcome', undefined, welcomeMs)) as Welcome
  let own: WorkerProcess | undefined
  const health = (): WorkerHealth => ({ services: own?.states() ?? [] })
  channel.onAsk('metrics', () => own?.metrics.json() ?? [])
  channel.onAsk('health', health)
  channel.onAsk('usage', () => own?.usage())
  return {
    welcome,
    /** Resolves when the primary tells it to end: with the time for handing over, or undefined to stop. */
    ordered: ordered.promise,
    shared: {
      uploadSecret: welcome.uploadSecret,
      async drained() {
        if (own === undefined) return
        channel.tell('metrics', await own.metrics.json())
        channel.tell('usage', own.usage())
      },
      usage: async () =>
        (await channel.ask('all.usage', undefined, gatherMs)) as Awaited<ReturnType<Shared['usage']>>,
      metrics: async () => String(await channel.ask('all.metrics', undefined, gatherMs)),
      async health() {
        try {
          return (await channel.ask('all.health', undefined, gatherMs)) as SharedHealth
        } catch {
          // The primary is busy: this worker's own state is better than nothing.
          return { ...health(), workers: undefined }
        }
      },
    } satisfies Shared,
    /** This worker serves; the primary may request its metrics and its state from now on. */
    serves(ready: Ready, process: WorkerProcess): void {
      own = process
      channel.tell('ready', ready)
    },
    /** It cannot serve, and ends: the reason, in words for the operator. */
    fails: (why: string): void => channel.tell('failed', why),
    disconnect: (): void => void worker.disconnect(),
  }
}

/** What a worker needs to know in addition to the configuration. */
export interface Welcome {
  /** From 1; a worker that replaces another one has a new number. */
  readonly worker: number
  /** The address of the sandbox, which all workers share; undefined if there is none. */
  readonly sandbox: string | undefined
  /** The key of the sandbox's tokens, base64url, if it could not be kept in a file. */
  readonly sandboxKey: string | undefined
  readonly uploadSecret: string
}

export interface Ready {
  readonly lines: readonly string[]
}

export interface WorkerHealth {
  readonly services: readonly ServiceState[]
}
