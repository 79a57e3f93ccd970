/**
 * The sources of configuration, supergraph and trusted operations of a running gateway. They are read again for
 * each reload. Changes are noticed by watching the files that the configuration names, and by polling addresses.
 */
import { repeat } from '../../shared/runtime/repeat.ts'
import { messageOf } from '../../shared/runtime/thrown.ts'
import { type Config, readConfig } from '../config/index.ts'
import { createSourceWatch, type SourcesState } from '../sources/index.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { createTextSources, type TextSources } from './text-sources.ts'
import { createFileWatch } from './watch-files.ts'

export interface Reading {
  readonly config: Config
  /** The SDL; undefined means our own graph. */
  readonly supergraph: string | undefined
  /** The text of the manifest of trusted operations; undefined if none is configured. */
  readonly manifest?: string | undefined
  /** Called when this generation serves. The text is then kept for the next start, if configured. */
  readonly serves?: (() => Promise<void>) | undefined
}

export type ReadingResult = Reading | { readonly faults: readonly string[] }

/** Where configuration and supergraph are read from, for the first start and for each reload. */
export interface ReloadSource {
  /** Reads the current configuration and supergraph. Returns what prevents reading them. Never rejects. */
  read(): Promise<ReadingResult>
  /** Calls `changed` for every change until it is closed, and `failed` with why changes cannot be observed. */
  watch(changed: () => void, failed: (reason: string) => void): void
  /** Reports the results of polling to log and metrics, including earlier ones. */
  attach(log: Logger, metrics: Metrics): void
  /** The state of polled sources by their purpose, for health. */
  state(): SourcesState
  close(): Promise<void>
}

interface ReloadSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** A file or addresses that replace TESSERA_SUPERGRAPH. */
  readonly supergraph?: string | undefined
}

/** Certificates are replaced before they expire. */
function tlsFiles({ server, traffic }: Config): (string | undefined)[] {
  const { all, subgraphs = {} } = traffic
  const own = Object.values(server.tls)
  return [
    ...own,
    ...[all, ...Object.values(subgraphs)].flatMap((each) => [
      each?.tls?.ca,
      each?.tls?.certificate,
      each?.tls?.key,
    ]),
  ]
}

/**
 * Makes the source that `tessera serve` uses: `startGateway` takes its `read` as `reread`, and the source as `sources`.
 * `env`: variables by the names of docs/configuration.md.
 */
export function createReloadSource({ env, supergraph }: ReloadSourceOptions): ReloadSource {
  let config: Config | undefined
  const watch = createSourceWatch()
  const ending = new AbortController()
  const { signal } = ending
  const sources = createTextSources(watch.note, signal)

  /** The files on whose content the graph depends: the configuration itself, and those that it names. */
  const files = (): string[] => {
    if (config === undefined) return []
    const named = [env.TESSERA_CONFIG, config.hooks.file, ...tlsFiles(config)]
    return [...named, ...sources.files()].filter((file) => file !== undefined && file !== '') as string[]
  }

  const watching = createFileWatch(files, signal)

  /** The current configuration, and the chains that it names. */
  function readConfiguration(): { readonly faults: readonly string[] } | { readonly config: Config } {
    const read = readConfig(supergraph === undefined ? env : { ...env, TESSERA_SUPERGRAPH: supergraph })
    if (read.faults !== undefined) return { faults: read.faults }
    const faults = configure(sources, read.config)
    if (faults !== undefined) return { faults }
    config = read.config
    return read
  }

  return {
    async read() {
      let read = readConfiguration()
      if ('faults' in read) return read
      const noted = await watching.note()
      if (env.TESSERA_CONFIG !== undefined && noted.includes(env.TESSERA_CONFIG)) {
        // The file may have changed since it was read, and the watch would take its current content for the content
        // in use.
        read = readConfiguration()
        if ('faults' in read) return read
        await watching.note()
      }
      return readingOf(read.config, sources)
    },

    watch(changed, failed) {
      if (config === undefined) return
      const { watchMs } = config.reload
      const { pollMs } = config.supergraph
      if (watchMs > 0) watching.begin(watchMs, changed)
      if (pollMs === 0 || ![sources.supergraph, sources.manifest].some((each) => each?.isPolled)) return
      void repeat(pollMs, signal, async () => {
        try {
          if ((await sources.poll()) && !signal.aborted) changed()
        } catch (error) {
          if (!signal.aborted) failed(messageOf(error))
        }
      })
    },

    attach: watch.attach,

    state: sources.state,

    async close() {
      ending.abort()
    },
  }
}

/** Reads, once, what a configuration names. Returns what prevents reading it. Never rejects. */
export async function readNamedBy(config: Config): Promise<ReadingResult> {
  const { signal } = new AbortController()
  const sources = createTextSources(() => {}, signal)
  const faults = configure(sources, config)
  return faults === undefined ? readingOf(config, sources) : { faults }
}

function configure(sources: TextSources, config: Config): readonly string[] | undefined {
  try {
    sources.configure(config)
    return undefined
  } catch (error) {
    return [`the supergraph: ${messageOf(error)}`]
  }
}

async function readingOf(config: Config, sources: TextSources): Promise<ReadingResult> {
  try {
    const [supergraph, manifest] = await Promise.all([sources.supergraph?.read(), sources.manifest?.read()])
    return {
      config,
      supergraph: supergraph?.text,
      manifest: manifest?.text,
      serves: async () => {
        await supergraph?.serves()
        await manifest?.serves()
      },
    }
  } catch (error) {
    return { faults: [messageOf(error)] }
  }
}
