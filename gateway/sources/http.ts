/**
 * HTTP for every kind of source: bounded in time and bytes, with a bounded number of redirects. A credential goes only to
 * its own origin: not to another one after a redirect, and never from https to http.
 */
import { cancelledBy } from '../../shared/http/cancellation.ts'
import { type HttpRequest, type HttpResult, sendOnce } from '../../shared/http/client.ts'
import { noResponse, type ReadingBounds, type Source, SourceFailure } from './source.ts'

export interface SourceRequest {
  readonly method: HttpRequest['method']
  readonly url: URL
  /** Alternating names and values, for every origin. */
  readonly headers: readonly string[]
  /** The same, but sent only to the origin of `url`. */
  readonly secret?: readonly string[] | undefined
  readonly body?: string | undefined
  readonly maxBytes: number
  /** Whether redirects are followed; true by default. */
  readonly follow?: boolean | undefined
}

export interface SourceResponse extends HttpResult {
  /** The address that responded in the end. */
  readonly url: URL
}

const mostRedirects = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Throws a `SourceFailure` if there is no complete response. `who` is the subject of its message. */
export async function fetchSource(
  request: SourceRequest,
  bounds: ReadingBounds,
  who = 'it',
): Promise<SourceResponse> {
  const { method, headers, body, maxBytes, follow = true } = request
  const deadline = performance.now() + bounds.timeoutMs
  const cancellation = cancelledBy(bounds.signal)
  let { url } = request
  let secret = request.secret ?? []
  for (let turn = 0; ; turn += 1) {
    const left = Math.max(1, Math.ceil(deadline - performance.now()))
    const request = { method, headers: [...headers, ...secret], body, maxBytes }
    const answer = await sendOnce(url, request, left, cancellation)
    // The body of a redirect is not read.
    if (answer.loss !== undefined) throw noResponse(who, answer.loss)
    const { location } = answer.headers
    if (!follow || method !== 'GET' || !redirects.has(answer.status) || location === undefined)
      return { ...answer, url }
    if (turn === mostRedirects)
      throw new SourceFailure(`${who} answered with more than ${mostRedirects} redirects`)
    const next = URL.parse(location, url.href)
    if (next === null || !/^https?:$/.test(next.protocol) || next.username !== '' || next.password !== '')
      throw new SourceFailure(`${who} answered ${answer.status} with an address that cannot be followed`)
    if (url.protocol === 'https:' && next.protocol === 'http:')
      throw new SourceFailure(
        `${who} answered ${answer.status}: a redirect from https to http is not followed`,
      )
    if (next.origin !== url.origin) secret = []
    url = next
  }
}

interface HttpSourceOptions extends ReadingBounds {
  readonly name: string
  readonly url: URL
  /** Credential headers, made for each request; alternating names and values. */
  readonly secret?: (() => readonly string[]) | undefined
}

/** The text at an address, which is polled by its ETag, so that an unchanged text costs its server nothing. */
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
      if (status === 304) throw new SourceFailure('it answered 304 to a request without a condition')
      if (status !== 200) throw new SourceFailure(`it answered ${status}: expected 200 or 304`)
      const text = body.toString('utf8')
      const { etag } = answered
      known = etag === undefined ? undefined : { text, etag }
      return text
    },
  }
}
