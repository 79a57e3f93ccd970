/**
 * A text at an HTTP address, such as a registry's CDN or a signed address of an object store. It is fetched with the
 * key in its own header, and polled by its ETag, so that an unchanged text costs its server nothing.
 */
import { fetchSource, type SourceRequest } from './fetch-source.ts'
import { type ReadingBounds, type Source, SourceFailure } from './source.ts'

interface HttpSourceOptions extends ReadingBounds {
  readonly name: string
  readonly url: URL
  /** Credential headers, made for each request; alternating names and values. */
  readonly secret?: (() => readonly string[]) | undefined
}

/** Makes the reader that polls an address by its ETag; the response is the text. */
export function createHttpSource(options: HttpSourceOptions): Source {
  const { name, url, secret, ...bounds } = options
  let known: { readonly text: string; readonly etag: string } | undefined
  return {
    name,
    isPolled: true,
    async read() {
      const headers = ['accept', 'application/graphql, text/plain, */*', 'accept-encoding', 'gzip']
      if (known !== undefined) headers.push('if-none-match', known.etag)
      const request: SourceRequest = {
        method: 'GET',
        url,
        headers,
        secret: secret?.(),
        maxBytes: bounds.maxBytes,
      }
      const { status, body, headers: answered } = await fetchSource(request, bounds)
      if (status === 304 && known !== undefined) return known.text
      if (status !== 200) throw new SourceFailure(`it answered ${status}: expected 200 or 304`)
      const text = body.toString('utf8')
      const { etag } = answered
      known = etag === undefined ? undefined : { text, etag }
      return text
    },
  }
}
