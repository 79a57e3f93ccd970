/** The sources of supergraph and trusted operations that a configuration names. */
import { runInTurns } from '../../shared/runtime/turns.ts'
import type { Config } from '../config/index.ts'
import { readManifestText } from '../pipeline/persisted/index.ts'
import {
  type Chain,
  createSources,
  type Place,
  parsePlaces,
  type SourceNote,
  type SourceSettings,
  type SourcesState,
} from '../sources/index.ts'
import { servingSupergraph } from '../sources/served-supergraph.ts'

interface ChainSettings extends SourceSettings {
  /** The configured value; undefined if there is none. */
  readonly place: string | undefined
  readonly copy: string | undefined
}

export const settingsOf = {
  supergraph(config: Config): ChainSettings {
    const { places: place, copy, key, keyHeader } = config.supergraph
    return { place, copy, ...shared(config, key, keyHeader) }
  },
  manifest(config: Config): ChainSettings {
    const { mode, manifest, manifestCopy: copy, manifestKey, manifestKeyHeader } = config.persisted
    const place = mode === 'trusted' ? manifest : undefined
    return { place, copy, ...shared(config, manifestKey, manifestKeyHeader) }
  },
}

function shared({ supergraph, aws }: Config, key: string | undefined, keyHeader: string) {
  const { accessKeyId, secretAccessKey, sessionToken, region, endpointUrlS3: endpoint } = aws
  return {
    key: key === undefined ? undefined : { header: keyHeader.toLowerCase(), value: key },
    ociCredentials: supergraph.ociConfig,
    s3: {
      credentials:
        accessKeyId === undefined || secretAccessKey === undefined
          ? undefined
          : { accessKeyId, secretAccessKey, sessionToken },
      region,
      endpoint,
    },
  }
}

interface Made {
  readonly settings: string
  readonly places: readonly Place[]
  readonly chain: Chain
}

export type TextSources = ReturnType<typeof createTextSources>

export function createTextSources(note: (note: SourceNote) => void, signal: AbortSignal) {
  const made: { supergraph?: Made | undefined; manifest?: Made | undefined } = {}

  /** The same chain as before if its settings are unchanged, because it remembers what its sources returned. */
  function chainOf(what: 'supergraph' | 'manifest', config: Config): Made | undefined {
    const settings = settingsOf[what](config)
    const { place } = settings
    if (place === undefined) return undefined
    const key = JSON.stringify(settings)
    if (made[what]?.settings === key) return made[what]
    const places = parsePlaces(place)
    const ways = waysOf[what](config)
    const chain = createSources({ ...settings, ...ways, what, places, note, signal })
    return { settings: key, places, chain }
  }
  const all = (): Made[] => [made.supergraph, made.manifest].filter((each) => each !== undefined)

  return {
    /** Uses the sources that this configuration names. Throws an Error if a place is invalid. */
    configure(config: Config): void {
      const supergraph = chainOf('supergraph', config)
      const manifest = chainOf('manifest', config)
      Object.assign(made, { supergraph, manifest })
    },
    get supergraph(): Chain | undefined {
      return made.supergraph?.chain
    },
    get manifest(): Chain | undefined {
      return made.manifest?.chain
    },
    /** Those of the places that are files. */
    files: (): readonly string[] =>
      all().flatMap(({ places }) => places.flatMap((place) => (place.kind === 'file' ? [place.path] : []))),
    /** Whether one of them has another text. Rejects with the reasons if one has no usable text. */
    async poll(): Promise<boolean> {
      let isOther = false
      for (const { chain } of all()) if (chain.isPolled && (await chain.poll())) isOther = true
      return isOther
    },
    state: (): SourcesState =>
      Object.fromEntries(
        Object.entries(made).flatMap(([what, each]) =>
          each === undefined ? [] : [[what, each.chain.state()]],
        ),
      ),
  }
}

const waysOf = {
  supergraph: (config: Config) => ({
    check: (text: string) => runInTurns(() => servingSupergraph(text, config.authorization.stepUp)),
    sentence: (source: string, reason: string) => `the supergraph cannot be read: ${source}: ${reason}`,
  }),
  manifest: () => ({
    check: (text: string): void => void readManifestText(text, 'it'),
    sentence: (source: string, reason: string) =>
      `TESSERA_PERSISTED_MANIFEST: ${source} cannot be read: ${reason}`,
  }),
}
