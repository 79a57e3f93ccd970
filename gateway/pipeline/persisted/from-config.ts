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
export function documentStoreFrom({ values }: Config, stores: Stores): DocumentStore | undefined {
  return values.TESSERA_PERSISTED === 'automatic' ? createDocumentStore(stores) : undefined
}

/** `manifest`: the text of trusted operations, if somebody has read it. */
export function persistedModeOf(
  { values }: Config,
  store: DocumentStore | undefined,
  manifest: string | undefined,
): PersistedMode {
  if (store !== undefined) return { kind: 'automatic', store }
  if (values.TESSERA_PERSISTED !== 'trusted') return { kind: 'off' }
  const place = values.TESSERA_PERSISTED_MANIFEST ?? ''
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
