/**
 * The sources of supergraphs and manifests of trusted operations: a file, an HTTP address, an artifact of a registry,
 * an object of S3, or a list of those, with the last good copy on disk. Each kind is a `Source`; a `Chain` combines
 * several.
 */
import { Chain, type SourceNote } from './chain.ts'
import { createHttpSource } from './http.ts'
import { createOciSource } from './oci/index.ts'
import { textKinds } from './oci/manifest.ts'
import type { Place } from './place.ts'
import { createS3Source, type S3Settings } from './s3.ts'
import { createFileSource, largestText, type ReadingBounds, type Source } from './source.ts'

export type { Chain, SourceNote } from './chain.ts'
export { pushSupergraph } from './oci/push.ts'
export { parseOciReference } from './oci/reference.ts'
export { type Place, parsePlaces } from './place.ts'
export { largestText, SourceFailure } from './source.ts'
export { createSourceWatch, type SourcesState } from './watch.ts'

export interface SourceSettings {
  /** Sent to each HTTP address. */
  readonly key: { readonly header: string; readonly value: string } | undefined
  /** The file with the credentials of registries. */
  readonly ociCredentials: string | undefined
  readonly s3: S3Settings
}

interface SourcesOptions extends SourceSettings {
  readonly what: 'supergraph' | 'manifest'
  readonly places: readonly Place[]
  readonly copy?: string | undefined
  /** Throws or rejects with an Error if a text is invalid. */
  readonly check?: ((text: string) => unknown) | undefined
  readonly sentence: (source: string, reason: string) => string
  readonly note?: ((note: SourceNote) => void) | undefined
  readonly signal: AbortSignal
  /** The timeout of each exchange. The default is 10,000. */
  readonly timeoutMs?: number | undefined
  readonly maxBytes?: number | undefined
}

const usualTimeoutMs = 10_000

export function createSources(options: SourcesOptions): Chain {
  const { what, places, copy, sentence, signal } = options
  const { timeoutMs = usualTimeoutMs, maxBytes = largestText } = options
  const bounds: ReadingBounds = { timeoutMs, maxBytes, signal }
  return new Chain({
    owner: { what, places: places.map(({ identity }) => identity) },
    sources: places.map((place) => ({ ...createSource(place, options, bounds), pinned: place.pinned })),
    // The user of a single text checks it.
    check: places.length > 1 || copy !== undefined ? options.check : undefined,
    copy,
    sentence,
    note: options.note ?? (() => {}),
  })
}

function createSource(place: Place, options: SourcesOptions, bounds: ReadingBounds): Source {
  const { name } = place
  switch (place.kind) {
    case 'file':
      return createFileSource(place, bounds)
    case 'http': {
      const { key } = options
      const secret = key === undefined ? undefined : () => [key.header, key.value]
      return createHttpSource({ ...bounds, name, url: place.url, secret })
    }
    case 'oci': {
      const { reference } = place
      const kind = textKinds[options.what]
      const credentials = options.ociCredentials
      return createOciSource({ ...bounds, name, reference, kind, credentials })
    }
    case 's3':
      return createS3Source(place, options.s3, bounds)
  }
}
