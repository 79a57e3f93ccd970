/**
 * Where configuration and supergraph of a running gateway come from, read anew for each reload; and what tells that
 * they have changed: the files that the configuration names, looked at, and an address, polled.
 */
import { messageOf } from '../../contract/thrown.ts'
import { type Config, readConfig } from '../config/index.ts'
import { createSupergraphAddress, type SupergraphAddress } from './supergraph-address.ts'
import { readSupergraphFile } from './supergraph-file.ts'
import { createFileWatch } from './watch-files.ts'

export interface Reading {
  readonly config: Config
  /** The SDL; undefined is our own graph. */
  readonly supergraph: string | undefined
}

export type ReadingResult = Reading | { readonly faults: readonly string[] }

export interface ReloadSource {
  /** The configuration and the supergraph as they are now, or what keeps them from being read. Never rejects. */
  read(): Promise<ReadingResult>
  /** Tells of every change that it can see until it is closed; `failed` why it cannot see. */
  watch(changed: () => void, failed: (reason: string) => void): void
  close(): Promise<void>
}

export interface ReloadSourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** A file or an address in place of what TESSERA_SUPERGRAPH names. */
  readonly supergraph?: string | undefined
}

/** Certificates are exchanged before they end. */
function tlsFiles({ sections, values }: Config): (string | undefined)[] {
  const { all, subgraphs = {} } = sections.traffic
  const own = [values.TESSERA_TLS_CERT, values.TESSERA_TLS_KEY, values.TESSERA_TLS_CLIENT_CA]
  return [
    ...own,
    ...[all, ...Object.values(subgraphs)].flatMap((each) => [
      each?.tls?.ca,
      each?.tls?.certificate,
      each?.tls?.key,
    ]),
  ]
}

const isAddress = (place: string): boolean => /^https?:\/\//i.test(place)

export function createReloadSource({ env, supergraph: given }: ReloadSourceOptions): ReloadSource {
  let config: Config | undefined
  let address: SupergraphAddress | undefined
  let lastText: string | undefined
  let closed = false
  const closing: (() => void)[] = []

  const placeIn = (of: Config): string | undefined => given ?? of.values.TESSERA_SUPERGRAPH

  async function textAt(place: string, of: Config): Promise<string> {
    if (!isAddress(place)) return readSupergraphFile(place)
    const { TESSERA_SUPERGRAPH_KEY: key, TESSERA_SUPERGRAPH_KEY_HEADER: header } = of.values
    address ??= createSupergraphAddress({
      url: place,
      key: key === undefined ? undefined : { header: header.toLowerCase(), value: key },
    })
    return address.read()
  }

  /** Files whose content decides: the configuration itself and what it names. */
  const files = (): string[] => {
    if (config === undefined) return []
    const { TESSERA_PERSISTED_MANIFEST: manifest, TESSERA_HOOKS: hooks } = config.values
    const place = placeIn(config)
    return [
      env.TESSERA_CONFIG,
      place === undefined || isAddress(place) ? undefined : place,
      manifest,
      hooks,
      ...tlsFiles(config),
    ].filter((file) => file !== undefined && file !== '') as string[]
  }

  const watching = createFileWatch(files)

  return {
    async read() {
      let read = readConfig(env)
      if (read.faults !== undefined) return { faults: read.faults }
      config = read.config
      const noted = await watching.note()
      if (env.TESSERA_CONFIG !== undefined && noted.includes(env.TESSERA_CONFIG)) {
        // It may have changed since it was read, and the watch would take what it is now for what is in use.
        read = readConfig(env)
        if (read.faults !== undefined) return { faults: read.faults }
        config = read.config
        await watching.note()
      }
      const place = placeIn(config)
      if (place === undefined) return { config, supergraph: undefined }
      try {
        lastText = await textAt(place, config)
        return { config, supergraph: lastText }
      } catch (error) {
        return { faults: [messageOf(error)] }
      }
    },

    watch(changed, failed) {
      if (config === undefined) return
      const { TESSERA_WATCH_MS: watchMs, TESSERA_SUPERGRAPH_POLL_MS: pollMs } = config.values
      if (watchMs > 0) watching.begin(watchMs, changed)
      const place = placeIn(config)
      if (place === undefined || !isAddress(place) || pollMs === 0) return
      let timer: NodeJS.Timeout | undefined
      const poll = (): void => {
        timer = setTimeout(() => {
          const of = config as Config
          textAt(place, of)
            .then(
              (text) => {
                if (text !== lastText && !closed) changed()
              },
              (error: unknown) => failed(messageOf(error)),
            )
            .finally(() => {
              if (!closed) poll()
            })
        }, pollMs)
        timer.unref()
      }
      poll()
      closing.push(() => clearTimeout(timer))
    },

    async close() {
      closed = true
      watching.close()
      for (const end of closing) end()
      await address?.close()
    },
  }
}
