/** Polls that send the ETag of the last answer, so that the service need not answer in full. */

import type { SubgraphRequest } from '../../../shared/request.ts'
import { createGrowingCache } from '../../../shared/runtime/growing-cache.ts'
import type { UpstreamCall } from '../../../shared/upstream.ts'
import type { Upstream, UpstreamResponse } from '../rest-client/index.ts'

const remembered = 5000

/**
 * Sends a call past the cache. With `conditional`, the result is undefined if nothing changed since the last answer
 * to the same call with the same credential.
 */
export type ConditionalSend = <T>(
  call: UpstreamCall,
  conditional: boolean,
  request: SubgraphRequest,
) => Promise<UpstreamResponse<T> | undefined>

export function createConditionalSend(upstream: Upstream): ConditionalSend {
  const etags = createGrowingCache<string>(remembered)
  return async <T>(call: UpstreamCall, conditional: boolean, request: SubgraphRequest) => {
    const key = `${upstream.credentialKey(request)}\n${call.path}`
    const etag = conditional ? etags.get(key) : undefined
    const response = await upstream.send<T>(
      {
        ...call,
        cacheable: false,
        ...(etag === undefined ? {} : { headers: { ...call.headers, 'if-none-match': etag }, accept: [304] }),
      },
      request,
    )
    if (response.status === 304) return undefined
    if (response.headers.etag === undefined) etags.delete(key)
    else etags.set(key, response.headers.etag)
    return response
  }
}
