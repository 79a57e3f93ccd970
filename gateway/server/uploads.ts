/**
 * The HTTP side of uploads: `PUT /upload/<token>`, whose body is streamed and never collected. The subgraph that takes
 * uploads receives it in this process, or over one more hop.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createGatewayRequest } from '../../engine/request.ts'
import { statusOfError, tesseraError } from '../../shared/errors.ts'
import { createHttpClient } from '../../shared/http/client.ts'
import { headerOf } from '../../shared/http/headers.ts'
import { retryAfterSeconds } from '../../shared/http/retry.ts'
import { createSigner, forwardedHeaders, signatureHeader } from '../../shared/http/signature.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import type { SubgraphRequest } from '../../shared/request.ts'
import type { UploadExchange, UploadResponse } from '../../shared/subgraph.ts'
import { maskError } from '../pipeline/mask.ts'
import { retryAfterOf } from '../pipeline/result-status.ts'
import { callerTrace, type Logger } from '../telemetry/log.ts'
import type { Route } from './routes.ts'

type UploadHandler = (exchange: UploadExchange, request: SubgraphRequest) => Promise<UploadResponse>

const uploadPath = '/upload/'

/** The form of the tokens in our addresses: five parts of base64url, as in JWE. */
const tokenForm = /^[\w-]{1,8192}(?:\.[\w-]{0,8192}){4}$/

/** What is kept of a subgraph's response to an upload. */
const mostAnswerBytes = 1024 * 1024

/** Throws unless it has the form of our tokens: nothing else is passed to the subgraph. */
export function checkUploadToken(token: string): void {
  if (!tokenForm.test(token)) throw tesseraError('FORBIDDEN', 'This is not an upload address of this server.')
}

/** The response to a failed upload; the connection is closed if bytes may still be on their way. */
function uploadFailure(
  error: unknown,
  { id, headers, log }: { id: string; headers: IncomingHttpHeaders; log: Logger },
): UploadResponse {
  const masked = maskError(error, id, log, callerTrace(headers).trace_id)
  const retryAfter = retryAfterOf([masked])
  return {
    status: statusOfError(masked),
    headers: {
      connection: 'close',
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
    body: { errors: [masked] },
  }
}

/** `admit` throws if the bytes are not accepted from this sender. */
export function uploadRoute(
  handler: UploadHandler,
  log: Logger,
  admit?: (request: IncomingMessage) => void,
): Route {
  return {
    method: 'PUT',
    path: `${uploadPath}*`,
    isStreamed: true,
    async answer({ id, raw, last: token, whenGone }) {
      const { headers } = raw
      const running = createGatewayRequest({
        id,
        deadline: Number.POSITIVE_INFINITY,
        header: (name) => headerOf(headers, name),
      })
      whenGone(() => running.cancel())
      let answer: UploadResponse
      try {
        admit?.(raw)
        checkUploadToken(token)
        answer = await handler({ token, headers, body: raw }, running)
      } catch (error) {
        answer = uploadFailure(error, { id, headers, log })
      }
      const { status, body } = answer
      return { status, headers: { ...answer.headers, 'cache-control': 'no-store' }, json: body }
    },
  }
}

/** Statuses that say by themselves what to do next. */
const plainStatuses: ReadonlySet<number> = new Set([308, 404, 408, 409, 410, 413, 416, 429])

/**
 * Throws if something in front of the subgraph answered instead of the subgraph. It refuses this gateway, or fails, and
 * the client cannot change that.
 */
function checkForeign(subgraph: string, status: number, retryAfter: string | undefined): void {
  if (plainStatuses.has(status) || (status >= 200 && status < 300)) return
  const isAway = status >= 500 || status === 401 || status === 403
  throw tesseraError(
    isAway ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_BAD_RESPONSE',
    isAway
      ? `The ${subgraph} subgraph does not accept the bytes: ask for the offset and continue from there.`
      : `The ${subgraph} subgraph returned an unexpected status.`,
    {
      service: subgraph,
      upstream: { status },
      retryAfter: isAway ? (retryAfterSeconds({ 'retry-after': retryAfter }) ?? 1) : undefined,
    },
  )
}

/** Uploads to a remote subgraph: streamed, and signed if a secret is shared with it. */
export function createRemoteUploads({
  subgraph,
  url,
  secret,
}: {
  readonly subgraph: string
  readonly url: string
  readonly secret: string | undefined
}): { handler: UploadHandler; close(): Promise<void> } {
  const client = createHttpClient(url, {
    connections: 128,
    connectTimeoutMs: 10_000,
    stalledMs: 90_000,
    keepAlive: false,
  })
  const sign = secret === undefined ? undefined : createSigner(secret)
  const [, credentialHeader] = forwardedHeaders(subgraph)
  const passed = ['content-type', 'content-length', 'content-range', credentialHeader]
  return {
    async handler({ token, headers, body }, request) {
      const sent: Record<string, string> = { 'x-request-id': request.id }
      for (const name of passed) {
        const value = headerOf(headers, name)
        if (value !== undefined) sent[name] = value
      }
      const path = `${uploadPath}${encodeURIComponent(token)}`
      if (sign !== undefined) {
        // The body is a stream, so everything else is signed.
        const signed = {
          method: 'PUT',
          path,
          audience: subgraph,
          body: '',
          header: (name: string) => sent[name],
        }
        sent[signatureHeader] = sign(signed)
      }
      const answer = await client.send(
        {
          method: 'PUT',
          path,
          headers: Object.entries(sent).flat(),
          body: headers['content-length'] === '0' ? undefined : body,
          maxBytes: mostAnswerBytes,
        },
        Number.POSITIVE_INFINITY,
        request,
      )
      if (answer.loss === 'garbled') {
        const message = `The ${subgraph} subgraph returned an unreadable response: ask for the offset to see what has arrived.`
        throw tesseraError('UPSTREAM_BAD_RESPONSE', message, { service: subgraph, cause: answer.cause })
      }
      if (answer.loss !== undefined) {
        throw tesseraError(
          'UPSTREAM_UNAVAILABLE',
          `The ${subgraph} subgraph broke off: ask for the offset and continue from there.`,
          { service: subgraph, retryAfter: 1, cause: answer.cause },
        )
      }
      const kept = Object.fromEntries(
        ['range', 'retry-after', 'tessera-global-id'].flatMap((name) => {
          const value = headerOf(answer.headers, name)
          return value === undefined ? [] : [[name, value]]
        }),
      )
      const json = parsedJson(answer.body)
      if (json === undefined) checkForeign(subgraph, answer.status, kept['retry-after'])
      return { status: answer.status, headers: kept, body: json }
    },
    close: () => client.close(),
  }
}
