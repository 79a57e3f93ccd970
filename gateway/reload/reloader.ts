/**
 * Replaces generations without losing a request. A new one is made and warmed while the old one runs, and takes
 * over between two requests. If it cannot be served, nothing changes, and log, metrics and health give the reason.
 */
import { oneAtATime } from '../../shared/runtime/one-at-a-time.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type Config, withoutRestart } from '../config/index.ts'
import type { SourcesState } from '../sources/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Generation } from './generation.ts'
import type { Reading, ReadingResult } from './source.ts'
import { warmFrom, warmManifest } from './warm.ts'

/** The outcome of a reload. After a refused one the generation before it continues to serve. */
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
interface GenerationState {
  readonly number: number
  readonly supergraph: string
  readonly since: string
  /** The sources of supergraph and trusted operations, and their state if they are polled. */
  readonly sources?: SourcesState
  /** The last reload, if it was refused. */
  readonly refused?: { readonly at: string; readonly reasons: readonly string[] }
}

interface ReloaderOptions {
  readonly first: Generation
  /** Reads configuration and supergraph. Without it, a reload makes a generation from the current ones. */
  readonly read?: (() => Promise<ReadingResult>) | undefined
  /** Makes a generation. Throws if it cannot be served. */
  readonly make: (number: number, reading: Reading) => Promise<Generation> | Generation
  /** Called when another generation has taken over, before the previous one is retired. */
  readonly onTakeOver?: ((generation: Generation, before: Generation) => void) | undefined
  readonly supergraph: string | undefined
  readonly manifest?: string | undefined
  readonly sources?: (() => SourcesState) | undefined
  readonly log: Logger
  readonly metrics: Metrics
}

/** How many reasons are reported, and how much of each, because a reason may quote a schema. */
const mostReasons = 20
const reasonCharacters = 500

export class Reloader {
  readonly #options: ReloaderOptions
  #last: Omit<Reading, 'config'>
  #current: Generation
  #refused: GenerationState['refused']
  #lastFailure: string | undefined
  #closed = false
  readonly #retiring = new Set<Promise<void>>()

  constructor(options: ReloaderOptions) {
    const { first, supergraph, manifest, metrics } = options
    this.#options = options
    this.#last = { supergraph, manifest }
    this.#current = first
    metrics.gauge(
      'tessera_generation',
      'The number of the current generation; its label is the beginning of its supergraph’s SHA-256.',
      () => [{ labels: { supergraph: this.#current.hash }, value: this.#current.number }],
      'max',
    )
    metrics.gauge('tessera_kept_operations_bytes', 'Estimated memory of prepared operations.', () => [
      { labels: {}, value: this.#current.assembly.operations.cacheBytes },
    ])
  }

  get current(): Generation {
    return this.#current
  }

  /** Reads everything again and makes the next generation. */
  readonly reload: () => Promise<ReloadResult> = oneAtATime(() => this.#perform())

  /** Changes cannot be observed at the moment, for this reason. It is reported once until it changes. */
  readonly failed = (reason: string): void => {
    if (reason === this.#lastFailure) return
    this.#lastFailure = reason
    this.#refuse([reason])
  }

  readonly state = (): GenerationState => {
    const { sources } = this.#options
    const { number, hash, since } = this.#current
    return {
      number,
      supergraph: hash,
      since: since.toISOString(),
      ...(sources === undefined ? {} : { sources: sources() }),
      ...(this.#refused === undefined ? {} : { refused: this.#refused }),
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    // Nothing is read or made any more: this waits for what is under way.
    await this.reload()
    await this.#current.retire()
    await Promise.all(this.#retiring)
  }

  async #perform(): Promise<ReloadResult> {
    const started = performance.now()
    const { read: reread, make } = this.#options
    if (this.#closed) return stopping
    const read = (await reread?.()) ?? { config: this.#current.config, ...this.#last }
    if ('faults' in read) return this.#refuse(read.faults)
    const { config, needRestart } = withoutRestart(this.#current.config, read.config)
    let made: Generation
    try {
      made = await make(this.#current.number + 1, { ...read, config })
    } catch (error) {
      return this.#refuse([messageOf(error)])
    }
    const before = this.#current
    const warmed = await warm(before, made, config)
    if (this.#closed) {
      await made.retire()
      return stopping
    }
    this.#last = { supergraph: read.supergraph, manifest: read.manifest }
    this.#takeOver(made, warmed, needRestart, started)
    this.#options.onTakeOver?.(made, before)
    await read.serves?.()
    const end = before.retire().finally(() => this.#retiring.delete(end))
    this.#retiring.add(end)
    return { kind: 'done', generation: made.number, warmed, needRestart }
  }

  #takeOver(made: Generation, warmed: number, needRestart: readonly string[], started: number): void {
    const { log, metrics } = this.#options
    this.#current = made
    this.#refused = undefined
    this.#lastFailure = undefined
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
  }

  #refuse(all: readonly string[]): ReloadResult {
    const { log, metrics } = this.#options
    const reasons = all.slice(0, mostReasons).map((reason) => reason.slice(0, reasonCharacters))
    this.#refused = { at: new Date().toISOString(), reasons }
    metrics.reload('refused')
    log.error({ generation: this.#current.number, reasons }, 'the reload was refused: nothing has changed')
    return { kind: 'refused', reasons }
  }
}

const stopping: ReloadResult = { kind: 'refused', reasons: ['the gateway is stopping'] }

async function warm(before: Generation, made: Generation, config: Config): Promise<number> {
  const { operations } = made.assembly
  const most = config.reload.warmOperations
  const warmed = await warmFrom(before.assembly.operations.mostAsked(most), operations)
  // Trusted operations may be new, without a request yet.
  const { manifest } = made.agents
  return manifest === undefined ? warmed : warmed + (await warmManifest(manifest, operations, most))
}
