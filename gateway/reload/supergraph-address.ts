/**
 * A supergraph at an HTTP address, such as a registry's CDN: fetched with the key in a header of its own, and asked
 * for again by its ETag, so that an unchanged one costs its server nothing. Redirects are not followed: the key is
 * for this address alone.
 */
import { createHttpClient } from '../../contract/http/client.ts'

export interface SupergraphAddressOptions {
  readonly url: string
  /** Sent with each request, where the address needs it; never logged. */
  readonly key?: { readonly header: string; readonly value: string } | undefined
  readonly timeoutMs?: number | undefined
  readonly maxBytes?: number | undefined
}

export interface SupergraphAddress {
  /** The text as it is now. Throws an error that says why there is none; it names neither address nor key. */
  read(): Promise<string>
  close(): Promise<void>
}

const usualTimeoutMs = 10_000
/** In bytes: of an answer, and of a file. */
export const largestSupergraph: number = 64 * 1024 * 1024

export function createSupergraphAddress(options: SupergraphAddressOptions): SupergraphAddress {
  const { key, timeoutMs = usualTimeoutMs, maxBytes = largestSupergraph } = options
  const url = new URL(options.url)
  const path = `${url.pathname}${url.search}`
  const client = createHttpClient(url, { connections: 1, connectTimeoutMs: timeoutMs })
  let known: { readonly text: string; readonly etag: string } | undefined

  return {
    async read() {
      const headers = ['accept', 'application/graphql, text/plain, */*', 'accept-encoding', 'gzip']
      if (key !== undefined) headers.push(key.header, key.value)
      if (known !== undefined) headers.push('if-none-match', known.etag)
      const {
        loss,
        status,
        body,
        headers: answered,
      } = await client.send(
        { method: 'GET', path, headers, body: undefined, maxBytes },
        performance.now() + timeoutMs,
      )
      if (loss !== undefined) throw new Error(`the address of the supergraph did not answer (${loss})`)
      if (status === 304 && known !== undefined) return known.text
      if (status >= 300 && status < 400)
        throw new Error(
          `the address of the supergraph answered ${status}: redirects are not followed, since the key is for this address alone`,
        )
      if (status !== 200)
        throw new Error(`the address of the supergraph answered ${status}: expected 200 or 304`)
      const text = body.toString('utf8')
      const { etag } = answered
      known = etag === undefined ? undefined : { text, etag }
      return text
    },
    close: () => client.close(),
  }
}
