/** Manifests of artifacts: which of their layers is the text, and its requirements. */
import { z } from 'zod'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import { refused } from '../source.ts'

export const manifestType = 'application/vnd.oci.image.manifest.v1+json'
/** Docker's own form of the same. */
export const acceptedManifests = `${manifestType}, application/vnd.docker.distribution.manifest.v2+json`
/** The layer that Apollo Router reads, too. */
export const supergraphType = 'application/apollo.schema'
export const emptyType = 'application/vnd.oci.empty.v1+json'

interface Layer {
  readonly digest: string
  readonly size: number
}

const layer = z.object({
  mediaType: z.string(),
  digest: z.string(),
  size: z.number().int().nonnegative(),
  annotations: z.record(z.string(), z.string()).optional(),
})
const manifest = z.object({ layers: z.array(layer).max(1000) })
const title = 'org.opencontainers.image.title'

/** How a text of the kind is recognised: by the media type of its layer, or the end of its file name. */
export interface TextKind {
  readonly types: readonly string[]
  readonly titles: RegExp
}

export const textKinds = {
  supergraph: { types: [supergraphType, 'application/graphql'], titles: /\.(graphqls?|gql)$/ },
  manifest: { types: ['application/json'], titles: /\.json$/ },
} as const satisfies Readonly<Record<string, TextKind>>

/** Throws a `SourceFailure` if no layer is the text, or several could be. */
export function layerIn(text: string, { types, titles }: TextKind, maxBytes: number): Layer {
  const parsed = parsedJson(text)
  if (parsed === undefined) throw refused('the manifest of the artifact is not JSON')
  const read = manifest.safeParse(parsed)
  if (!read.success)
    throw refused('the manifest is not that of an artifact: expected `layers`, which an index does not have')
  const { layers } = read.data
  const byType = types.map((type) => layers.filter(({ mediaType }) => mediaType === type))
  const byTitle = layers.filter(({ annotations = {} }) => titles.test(annotations[title] ?? ''))
  const found = [...byType, byTitle].find((some) => some.length > 0) ?? []
  const [only, other] = found
  if (only === undefined || other !== undefined)
    throw refused(
      `the artifact has ${found.length} layers with such a text: expected one, of the type ${types.join(' or ')}`,
    )
  if (only.size > maxBytes) throw refused(`the layer is larger than ${maxBytes} bytes`)
  if (!/^sha256:[0-9a-f]{64}$/.test(only.digest)) throw refused('the layer has no SHA-256 digest')
  return only
}
