/**
 * Checks a request before the protocol reads it: the method, the origin of a page, and the body. The HTTP status of a
 * refusal says what is wrong.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../../shared/json/is-object.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import type { HttpResponse } from '../../graphql-http/graphql-over-http.ts'
import type { HttpRequest } from '../../graphql-http/http-operation.ts'
import { contentTypeMessage, isJsonContent } from '../../graphql-http/negotiation.ts'
import { createHostCheck } from '../../server/host-check.ts'
import { rpcCodes, rpcFailure } from './errors.ts'

export interface HttpCheckOptions {
  /** Origins of pages that may call; `*` is none here: any page could use what its reader may. */
  readonly origins: readonly string[]
  /** Names of this server other than localhost and addresses. */
  readonly names: readonly string[]
}

type HttpCheck = (http: HttpRequest) => HttpResponse | { readonly body: unknown }

export function createHttpCheck({ origins, names }: HttpCheckOptions): HttpCheck {
  const isOwnHost = createHostCheck(names)
  return (http) => {
    const { method, headers } = http
    if (method !== 'POST')
      return rpcFailure(
        405,
        rpcCodes.refused,
        'Messages are sent by POST: there is nothing to GET or DELETE.',
        { head: ['allow', 'POST'] },
      )
    if (!isKnownOrigin(headers, origins, isOwnHost))
      return rpcFailure(
        403,
        rpcCodes.refused,
        'The Origin header names a page of another site: TESSERA_CORS_ORIGINS has to name it.',
      )
    if (!isJsonContent(headers['content-type'])) return rpcFailure(415, rpcCodes.refused, contentTypeMessage)
    const body = parsedJson(http.body)
    if (body === undefined)
      return rpcFailure(400, rpcCodes.parse, 'The body is not JSON: expected one JSON-RPC message.')
    if (!isObject(body))
      return rpcFailure(400, rpcCodes.invalidRequest, 'Expected one JSON-RPC message; batches are not taken.')
    return { body }
  }
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A program that is no browser names no origin. A page is known by its name, or because it is of this very server. */
function isKnownOrigin(
  { origin, host }: IncomingHttpHeaders,
  origins: readonly string[],
  isOwnHost: (host: string | undefined) => boolean,
): boolean {
  if (origin === undefined) return true
  if (origins.includes(origin)) return true
  const url = URL.parse(origin)
  if (url === null) return false
  if (loopback.has(url.hostname) || url.hostname.endsWith('.localhost')) return isOwnHost(host)
  return url.host === host && isOwnHost(host)
}
