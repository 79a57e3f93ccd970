/**
 * The places of a supergraph or a manifest, read from one text: a file, or addresses in the order in which they are
 * asked. A place has a name for people without secrets: paths and queries of HTTP addresses may be signed.
 */
import { type OciReference, parseOciReference } from './oci/reference.ts'

interface AnyPlace {
  /** For log, health and metrics. */
  readonly name: string
  /** Distinguishes the places of a stored text. Names do not, because they have only the origins of HTTP addresses. */
  readonly identity: string
  /** The SHA-256 that the text must have, in hexadecimal digits; any text by default. */
  readonly pinned: string | undefined
}

export type Place = AnyPlace &
  (
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'http'; readonly url: URL }
    | { readonly kind: 'oci'; readonly reference: OciReference }
    | { readonly kind: 's3'; readonly bucket: string; readonly key: string }
  )

const mostPlaces = 10
const pin = /#sha256[=:]([0-9a-f]{64})$/
/** A comma before the next address; other commas may belong to one. */
const comma = /,(?=[a-z][a-z0-9+]{0,20}:\/\/|\.{0,2}\/)/i

/**
 * Throws an Error that does not repeat the text, which may have a secret. A text without `://` is the path of one file,
 * whatever its characters.
 */
export function parsePlaces(text: string): readonly Place[] {
  const parts = text.includes('://') ? partsOf(text) : [text]
  if (parts.length > mostPlaces) throw new Error(`expected ${mostPlaces} addresses at most`)
  const names = new Map<string, number>()
  return parts.map((part) => {
    const place = parsePlace(part)
    const count = (names.get(place.name) ?? 0) + 1
    names.set(place.name, count)
    return count === 1 ? place : { ...place, name: `${place.name} (${count})` }
  })
}

function partsOf(text: string): string[] {
  const parts = text.split(/\s+/).flatMap((part) => part.split(comma))
  return parts.map((part) => part.replace(/^,|,$/g, '')).filter((part) => part !== '')
}

function parsePlace(text: string): Place {
  const pinned = pin.exec(text)?.[1]
  const address = pinned === undefined ? text : text.replace(pin, '')
  const scheme = /^([a-z][a-z0-9+]*):\/\//i.exec(address)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return { kind: 'file', path: address, name: address, identity: `file ${address}`, pinned }
    case 'http':
    case 'https':
      return { kind: 'http', ...httpUrl(address), pinned }
    case 'oci':
    case 'oci+http': {
      const reference = parseOciReference(address)
      const { name, registry, repository } = reference
      const identity = `oci ${registry.host}/${repository}:${reference.reference}`
      return { kind: 'oci', reference, name, identity, pinned }
    }
    case 's3':
      return { kind: 's3', ...s3Object(address), pinned }
    default:
      throw new Error('expected a file, or addresses that begin with https://, http://, oci:// or s3://')
  }
}

function httpUrl(address: string) {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new Error(
      'expected an http or https address without user or fragment; `#sha256=` with 64 hexadecimal digits may follow it',
    )
  return { url, name: url.origin, identity: `http ${url.origin}${url.pathname}` }
}

function s3Object(address: string) {
  const [, bucket, written] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^?#]{1,1024})$/i.exec(address) ?? []
  const key = decoded(written)
  // An address would lose such steps.
  if (bucket === undefined || key === undefined || key.split('/').some((step) => /^\.{1,2}$/.test(step)))
    throw new Error('expected an object of S3, such as s3://bucket/path/supergraph.graphql')
  return { bucket, key, name: `s3://${bucket}/${key}`, identity: `s3 ${bucket}/${key}` }
}

/** Places are separated by spaces, so a path has them percent-encoded, like all other encoded characters. */
function decoded(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : decodeURIComponent(path)
  } catch {
    return undefined
  }
}
