/**
 * Replaces generations without losing a request. A new one is made and warmed beside the running one, and takes
 * over between two requests. If it cannot be served, nothing changes, and log, metrics and health give the reason.
 */
import { messageOf } from '../../shared/runtime/thrown.ts'
import type { Config } from '../config/index.ts'
import { withoutRestart } from '../config/index.ts'
import type { SourcesState } from '../sources/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Generation } from './generation.ts'
import type { Reading, ReadingResult } from './source.ts'
import { warmFrom, warmManifest } from './warm.ts'

export type ReloadResult =
  | {
      readonly kind: 'done'
      readonly generation: number
      /** How many operations were prepared before it took over. */
      readonly warmed: number
      /** Changed variables that take effect only after a restart. */
      readonly needRestart: readonly string[]
    }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }

/** What health reports about the generation. */
export interface GenerationState {
  readonly number: number
  readonly supergraph: string
  readonly since: string
  /** The sources of supergraph and trusted operations, and their state if they are polled. */
  readonly sources?: SourcesState
  /** The last reload, if it was refused. */
  readonly refused?: { readonly at: string; readonly reasons: readonly string[] }
}

export interface Reloader {
  readonly current: Generation
  /**
   * Reads everything again and makes the next generation. One reload runs at a time, and a call during another one
   * begins after it.
   */
  reload(): Promise<ReloadResult>
  /** Changes cannot be observed at the moment, for this reason. It is reported once until it changes. */
  failed(reason: string): void
  state(): GenerationState
  close(): Promise<void>
}

export interface ReloaderOptions {
  readonly first: Generation
  /** Reads configuration and supergraph. Without it, a reload makes a generation from the current ones. */
  readonly read?: (() => Promise<ReadingResult>) | undefined
  /** Makes a generation. Throws if it cannot be served. */
  readonly make: (number: number, reading: Reading) => Promise<Generation> | Generation
  /** Called when another generation has taken over, before the previous one is retired. */
  readonly taken?: ((generation: Generation, before: Generation) => void) | undefined
  readonly supergraph: string | undefined
  readonly manifest?: string | undefined
  /** The state of the sources of both. */
  readonly sources?: (() => SourcesState) | undefined
  readonly log: Logger
  readonly metrics: Metrics
}

/** How many reasons are reported, and how much of each, because a reason may quote a schema. */
const mostReasons = 20
const reasonCharacters = 500

export function createReloader(options: ReloaderOptions): Reloader {
  const { log, metrics, make } = options
  let last: Omit<Reading, 'config'> = { supergraph: options.supergraph, manifest: options.manifest }
  let current = options.first
  let refused: GenerationState['refused']
  let lastFailure: string | undefined
  let running: Promise<ReloadResult> | undefined
  let next: Promise<ReloadResult> | undefined
  let closed = false
  const retiring = new Set<Promise<void>>()

  const refuse = (all: readonly string[]): ReloadResult => {
    const reasons = all.slice(0, mostReasons).map((reason) => reason.slice(0, reasonCharacters))
    refused = { at: new Date().toISOString(), reasons }
    metrics.reload('refused')
    log.error({ generation: current.number, reasons }, 'the reload was refused: nothing has changed')
    return { kind: 'refused', reasons }
  }

  async function perform(): Promise<ReloadResult> {
    const started = performance.now()
    if (closed) return { kind: 'refused', reasons: ['the gateway is stopping'] }
    const read = (await options.read?.()) ?? { config: current.config, ...last }
    if ('faults' in read) return refuse(read.faults)
    const { config, needRestart } = withoutRestart(current.config, read.config)
    let made: Generation
    try {
      made = await make(current.number + 1, { ...read, config })
    } catch (error) {
      return refuse([messageOf(error)])
    }
    const before = current
    const warmed = await warm(before, made, config)
    if (closed) {
      await made.retire()
      return { kind: 'refused', reasons: ['the gateway is stopping'] }
    }
    current = made
    last = { supergraph: read.supergraph, manifest: read.manifest }
    refused = undefined
    lastFailure = undefined
    metrics.reload('done')
    log.info(
      {
        generation: made.number,
        supergraph: made.hash,
        warmed,
        ms: Math.round(performance.now() - started),
        ...(needRestart.length === 0 ? {} : { needRestart }),
      },
      'a new generation serves the graph',
    )
    if (needRestart.length > 0)
      log.warn({ variables: needRestart }, 'these changes of the configuration need a restart')
    options.taken?.(made, before)
    await read.serves?.()
    const end = before.retire().finally(() => retiring.delete(end))
    retiring.add(end)
    return { kind: 'done', generation: made.number, warmed, needRestart }
  }

  metrics.gauge(
    'tessera_generation',
    'The number of the current generation; its label is the beginning of its supergraph’s SHA-256.',
    () => [{ labels: { supergraph: current.hash }, value: current.number }],
    'max',
  )
  metrics.gauge('tessera_kept_operations_bytes', 'Estimated memory of prepared operations.', () => [
    { labels: {}, value: current.assembly.operations.cacheBytes },
  ])
  return {
    get current() {
      return current
    },
    reload() {
      if (running === undefined) {
        running = perform().finally(() => (running = undefined))
        return running
      }
      // A change after the running reload has read is picked up by the next one, which serves all callers that
      // wait.
      next ??= running.then(() => {
        next = undefined
        running = perform().finally(() => (running = undefined))
        return running
      })
      return next
    },
    failed(reason) {
      if (reason === lastFailure) return
      lastFailure = reason
      refuse([reason])
    },
    state: () => ({
      number: current.number,
      supergraph: current.hash,
      since: current.since.toISOString(),
      ...(options.sources === undefined ? {} : { sources: options.sources() }),
      ...(refused === undefined ? {} : { refused }),
    }),
    async close() {
      closed = true
      await running
      await current.retire()
      await Promise.all(retiring)
    },
  }
}

async function warm(before: Generation, made: Generation, config: Config): Promise<number> {
  const { operations } = made.assembly
  const most = config.reload.warmOperations
  const warmed = await warmFrom(before.assembly.operations.mostAsked(most), operations)
  // Trusted operations may be new, without a request yet.
  return made.manifest === undefined ? warmed : warmed + (await warmManifest(made.manifest, operations, most))
}
