/** An object of S3, or of a compatible store: an HTTP address with signed requests. */
import { createHttpSource } from '../http.ts'
import type { ReadingBounds, Source } from '../source.ts'
import { type AwsCredentials, encodePart, signedHeaders } from './sign.ts'

export type { AwsCredentials } from './sign.ts'

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
      credentials === undefined
        ? []
        : signedHeaders({ method: 'GET', url, region, service: 's3', credentials, now: new Date() }),
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
