/**
 * A text that is an artifact of an OCI registry, of one layer. Its manifest is requested by tag or digest, and the layer
 * only if the manifest has changed. Both must have the digests by which they are named.
 */
import { hash } from 'node:crypto'
import { refused, type Source, SourceFailure } from '../source.ts'
import {
  acceptedManifests,
  emptyType,
  layerIn,
  manifestType,
  supergraphType,
  type TextKind,
} from './manifest.ts'
import type { OciReference } from './reference.ts'
import { createSession, type RegistryAccess, type RegistrySession } from './session.ts'

const mostManifestBytes = 1024 * 1024

const digestOf = (bytes: string | Buffer): string => `sha256:${hash('sha256', bytes)}`

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

interface PushOptions extends RegistryAccess {
  readonly text: string
}

const mostAnswerBytes = 1024 * 1024
const empty = '{}'

/** Resolves with the digest of its manifest. Throws a `SourceFailure`. */
export async function pushSupergraph({
  reference,
  text,
  credentials,
  ...bounds
}: PushOptions): Promise<string> {
  const session = createSession({ ...bounds, reference, actions: 'pull,push', credentials })
  const descriptor = (mediaType: string, content: string) => ({
    mediaType,
    digest: digestOf(content),
    size: Buffer.byteLength(content),
  })
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType: supergraphType,
    config: descriptor(emptyType, empty),
    layers: [
      {
        ...descriptor(supergraphType, text),
        annotations: { 'org.opencontainers.image.title': 'supergraph.graphql' },
      },
    ],
  })
  const digest = digestOf(manifest)
  if (reference.isDigest && reference.reference !== digest)
    throw new SourceFailure(`the artifact has the digest ${digest}: name a tag, or that digest`)
  await pushBlob(session, reference, empty)
  await pushBlob(session, reference, text)
  const { status } = await session.send({
    method: 'PUT',
    path: `manifests/${reference.reference}`,
    headers: ['content-type', manifestType],
    body: manifest,
    maxBytes: mostAnswerBytes,
  })
  if (status !== 201) throw new SourceFailure(`the registry answered ${status} to the manifest: expected 201`)
  return digest
}

async function pushBlob(
  session: RegistrySession,
  { registry }: OciReference,
  content: string,
): Promise<void> {
  const begun = await session.send({
    method: 'POST',
    path: 'blobs/uploads/',
    headers: ['content-length', '0'],
    maxBytes: mostAnswerBytes,
  })
  const { location } = begun.headers
  if (begun.status !== 202 || location === undefined)
    throw new SourceFailure(`the registry answered ${begun.status} to an upload: expected 202`)
  const place = URL.parse(location, begun.url.href)
  if (place === null || (registry.protocol === 'https:' && place.protocol !== 'https:'))
    throw new SourceFailure('the registry names an upload address that cannot be used')
  place.searchParams.set('digest', digestOf(content))
  const { status } = await session.send({
    method: 'PUT',
    path: place,
    headers: ['content-type', 'application/octet-stream'],
    body: content,
    maxBytes: mostAnswerBytes,
  })
  if (status !== 201) throw new SourceFailure(`the registry answered ${status} to a blob: expected 201`)
}
