/** The documents that are executed by their hash, or alone, as the configuration says. */
import type { Config } from '../../config/index.ts'
import type { Stores } from '../../stores/index.ts'
import {
  createDocumentStore,
  type DocumentStore,
  type PersistedMode,
  readManifest,
  readManifestText,
} from './index.ts'

/** Where automatic documents are kept, for as long as the process runs; undefined if none are. */
export function documentStoreFrom(config: Config, stores: Stores): DocumentStore | undefined {
  return config.persisted.mode === 'automatic' ? createDocumentStore(stores) : undefined
}

/** `manifest`: the text of trusted operations, if somebody has read it. */
export function persistedModeOf(
  config: Config,
  store: DocumentStore | undefined,
  manifest: string | undefined,
): PersistedMode {
  if (store !== undefined) return { kind: 'automatic', store }
  if (config.persisted.mode !== 'trusted') return { kind: 'off' }
  const place = config.persisted.manifest ?? ''
  if (manifest !== undefined)
    return {
      kind: 'trusted',
      manifest: readManifestText(manifest, place.includes('://') ? 'TESSERA_PERSISTED_MANIFEST' : place),
    }
  if (place.includes('://'))
    throw new Error(
      'TESSERA_PERSISTED_MANIFEST: addresses are read by `createReloadSource`: give its `manifest` to the gateway',
    )
  return { kind: 'trusted', manifest: readManifest(place) }
}
