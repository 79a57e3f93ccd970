/** An endpoint of an authorization server, which gets forms by POST. Its responses are bounded in time and size. */
import { isObject } from '../json/is-object.ts'
import { createHttpClient, type HttpResult } from './client.ts'

const mostBytes = 65_536

export function createOauthEndpoint(
  url: URL,
  { connections, timeoutMs }: { readonly connections: number; readonly timeoutMs: number },
) {
  const client = createHttpClient(url, { connections, connectTimeoutMs: timeoutMs })
  const usual = ['accept', 'application/json', 'content-type', 'application/x-www-form-urlencoded']
  return {
    post(form: URLSearchParams, authorization: string | undefined): Promise<HttpResult> {
      return client.send(
        {
          method: 'POST',
          path: url.pathname + url.search,
          headers: authorization === undefined ? usual : [...usual, 'authorization', authorization],
          body: form.toString(),
          maxBytes: mostBytes,
        },
        performance.now() + timeoutMs,
      )
    },
    close: () => client.close(),
  }
}

/** The error code of a response, which contains no secret. The description might. */
export function errorCodeIn(json: unknown): string | undefined {
  const error = isObject(json) ? json.error : undefined
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined
}
