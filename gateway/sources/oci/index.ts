/**
 * A text that is an artifact of an OCI registry. Its manifest is requested by tag or digest, and the layer only if the
 * manifest has changed. Both must have the digests by which they are named.
 */
import { hash } from 'node:crypto'
import { refused, type Source, SourceFailure } from '../source.ts'
import { acceptedManifests, layerIn, type TextKind } from './manifest.ts'
import { createSession, type RegistryAccess } from './session.ts'

const mostManifestBytes = 1024 * 1024

export const digestOf = (bytes: string | Buffer): string => `sha256:${hash('sha256', bytes)}`

interface OciSourceOptions extends RegistryAccess {
  readonly name: string
  readonly kind: TextKind
}

export function createOciSource({ name, reference, kind, credentials, ...bounds }: OciSourceOptions): Source {
  const session = createSession({ ...bounds, reference, actions: 'pull', credentials })
  let known: { readonly manifest: string; readonly text: string } | undefined

  async function get(path: string, accept: string, maxBytes: number): Promise<Buffer> {
    const { status, body } = await session.send({
      method: 'GET',
      path,
      headers: ['accept', accept],
      maxBytes,
    })
    if (status === 200) return body
    throw new SourceFailure(
      status === 404 ? 'the registry has no such artifact' : `the registry answered ${status}: expected 200`,
    )
  }

  return {
    name,
    isPolled: true,
    async read() {
      const manifest = await get(`manifests/${reference.reference}`, acceptedManifests, mostManifestBytes)
      const digest = digestOf(manifest)
      if (reference.isDigest && digest !== reference.reference)
        throw refused('the digest of the manifest differs from the requested one')
      if (known?.manifest === digest) return known.text
      const layer = layerIn(manifest.toString('utf8'), kind, bounds.maxBytes)
      const blob = await get(`blobs/${layer.digest}`, '*/*', Math.max(1, layer.size))
      if (blob.length !== layer.size || digestOf(blob) !== layer.digest)
        throw refused('the digest of the layer differs from the one in the manifest')
      const text = blob.toString('utf8')
      known = { manifest: digest, text }
      return text
    },
  }
}
