/**
 * Signature Version 4 of AWS, for requests without a body or with one that is text. The path is signed as it is sent:
 * S3, unlike the other services, encodes it once.
 */
import { createHmac, hash } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface Signing {
  readonly method: string
  /** With the path as it is sent. */
  readonly url: URL
  /** Further signed headers, with lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly region: string
  readonly service: string
  readonly credentials: AwsCredentials
  readonly now: Date
}

/** The headers of the request, without `host`; alternating names and values. */
export function signedHeaders(signing: Signing): string[] {
  const { method, url, body = '', region, service, credentials, now } = signing
  const at = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = at.slice(0, 8)
  const bodyHash = hash('sha256', body)
  const sent: Record<string, string> = {
    ...signing.headers,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': at,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  }
  const signed = Object.entries({ ...sent, host: url.host }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', at, scope, hash('sha256', canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
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
