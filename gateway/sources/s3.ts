/**
 * An object of S3, or of a compatible store: an HTTP address with signed requests (Signature Version 4 of AWS). The path
 * is signed as it is sent: S3, unlike the other services, encodes it once.
 */
import { createHmac, hash } from 'node:crypto'
import { createHttpSource } from './http.ts'
import type { ReadingBounds, Source } from './source.ts'

export interface S3Settings {
  /** Without them requests are unsigned, for public objects. */
  readonly credentials: AwsCredentials | undefined
  readonly region: string
  /** The address of a store that is not Amazon's. The bucket is then in the path. */
  readonly endpoint: string | undefined
}

export function createS3Source(
  place: { readonly name: string; readonly bucket: string; readonly key: string },
  { credentials, region, endpoint }: S3Settings,
  bounds: ReadingBounds,
): Source {
  const url = objectUrl(place, region, endpoint)
  return createHttpSource({
    ...bounds,
    name: place.name,
    url,
    secret: () =>
      credentials === undefined ? [] : signedHeaders({ url, region, credentials, now: new Date() }),
  })
}

/** A bucket with dots in its name fits no certificate of `*.s3…`. */
function objectUrl(
  { bucket, key }: { readonly bucket: string; readonly key: string },
  region: string,
  endpoint: string | undefined,
): URL {
  const path = key.split('/').map(encodePart).join('/')
  const host = `s3.${region}.amazonaws.com`
  if (endpoint !== undefined) return new URL(`${endpoint}/${bucket}/${path}`)
  return new URL(
    bucket.includes('.') ? `https://${host}/${bucket}/${path}` : `https://${bucket}.${host}/${path}`,
  )
}

interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

interface Signing extends Pick<S3Settings, 'region'> {
  /** With the path as it is sent. */
  readonly url: URL
  readonly credentials: AwsCredentials
  readonly now: Date
}

/** The headers of a GET without a body, without `host`; alternating names and values. */
export function signedHeaders({ url, region, credentials, now }: Signing): string[] {
  const at = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = at.slice(0, 8)
  const bodyHash = hash('sha256', '')
  const sent: Record<string, string> = {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': at,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  }
  const signed = Object.entries({ ...sent, host: url.host }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    'GET',
    url.pathname,
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', at, scope, hash('sha256', canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (last, text) => hmac(last, text).digest(),
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = hmac(key, toSign).digest('hex')
  const { accessKeyId } = credentials
  return [
    ...Object.entries(sent).flat(),
    'authorization',
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  ]
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

const byName = ([a]: readonly string[], [b]: readonly string[]): number => ((a ?? '') < (b ?? '') ? -1 : 1)

/** All characters except the unreserved ones of RFC 3986, as UTF-8. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => [encodePart(name), encodePart(value)])
    .sort(([a = '', x = ''], [b = '', y = '']) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
}
