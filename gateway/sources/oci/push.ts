/** Pushes a supergraph to a registry, as an artifact of one layer that Apollo Router reads, too. */
import { SourceFailure } from '../source.ts'
import { digestOf } from './index.ts'
import { emptyType, manifestType, supergraphType } from './manifest.ts'
import type { OciReference } from './reference.ts'
import { createSession, type RegistryAccess, type RegistrySession } from './session.ts'

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
