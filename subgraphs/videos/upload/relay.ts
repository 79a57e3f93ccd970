/**
 * Streams the bytes of an upload to the service, with back-pressure and on a connection of its own. Nothing is
 * buffered or repeated here: the client asks for the offset and continues from there.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type ErrorCode, tesseraError } from '../../../shared/errors.ts'
import { toGlobalId } from '../../../shared/graphql/global-id.ts'
import { createHttpClient } from '../../../shared/http/client.ts'
import { collectGarbageEvery } from '../../../shared/http/collect-garbage.ts'
import { headerOf } from '../../../shared/http/headers.ts'
import { retryAfterSeconds } from '../../../shared/http/retry.ts'
import { parsedJson } from '../../../shared/json/parse-json.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import { openCredential } from '../../kit/credentials/index.ts'
import { malformed } from '../../kit/json.ts'
import { callOf } from '../../kit/operation.ts'
import { type Failure, failureOfStatus } from '../../kit/rest-client/index.ts'
import type { ServiceOptions } from '../../kit/subgraph.ts'
import { createFailureReader } from '../failure.ts'
import { isResource, type VideoModel } from '../model.ts'
import { operations } from '../operations.ts'
import type { UploadSession } from './capability.ts'
import { receivedFrom, type Sent } from './range.ts'

export type Progress =
  | { readonly complete: false; readonly receivedBytes: number }
  | { readonly complete: true; readonly video: VideoModel }

/** A service that takes no bytes for this long counts as gone. */
const stalledMs = 60_000
const mostAnswerBytes = 1024 * 1024

const readFailure = createFailureReader()

export function createRelay({ credential, baseUrl }: Pick<ServiceOptions, 'credential' | 'baseUrl'>) {
  const client = createHttpClient(baseUrl, {
    connections: 128,
    connectTimeoutMs: 10_000,
    stalledMs,
    keepAlive: false,
  })
  const opened = openCredential(credential, 'videos')
  const home = new URL(baseUrl).origin

  return {
    /** Sends bytes, or asks how many have arrived. */
    async send(
      session: UploadSession,
      sent: Sent,
      body: Readable | undefined,
      request: SubgraphRequest,
    ): Promise<Progress> {
      const url = new URL(session.address)
      if (url.origin !== home)
        throw tesseraError('FORBIDDEN', 'This upload belongs to another service.', { service: 'videos' })
      // The credential of this part may be newer than that of the first one.
      const shown = await opened.headers(request)
      const own = shown.length > 0 ? shown : session.proof
      const sender: Sender = { fault: undefined }
      const response = await client.send(
        {
          method: 'PUT',
          path: `${url.pathname}${url.search}`,
          headers: [
            ...own,
            'content-type',
            session.contentType,
            ...lengthHeaders(sent, session.contentLength),
          ],
          body:
            sent.kind === 'question' || body === undefined ? undefined : passOn(body, sizeOf(sent), sender),
          maxBytes: mostAnswerBytes,
        },
        Number.POSITIVE_INFINITY,
        request,
      )
      if (sender.fault !== undefined) throw sender.fault
      if (response.loss === 'garbled') {
        const message =
          'The video service returned an unreadable response: ask for the offset to see what has arrived.'
        throw tesseraError('UPSTREAM_BAD_RESPONSE', message, { service: 'videos', cause: response.cause })
      }
      // The status tells what became of the bytes, even if the body is too large to read.
      if (response.loss !== undefined && response.loss !== 'too-large') throw unavailable(response.cause)
      if (response.status === 308) {
        const receivedBytes = receivedFrom(headerOf(response.headers, 'range'))
        if (receivedBytes === undefined || receivedBytes > session.contentLength)
          throw malformed('videos', 'The video service did not say how many bytes have arrived.')
        return { complete: false, receivedBytes }
      }
      const json = parsedJson(response.body)
      if (response.status === 200 || response.status === 201) {
        if (isResource(json)) return { complete: true, video: json }
        throw malformed('videos', 'The video service did not return the new video.')
      }
      if (response.status === 401) opened.renew?.(own)
      throw refusal(response.status, response.headers, json, credential.kind === 'forward')
    },
    async close(): Promise<void> {
      await opened.close?.()
      await client.close()
    },
  }
}

/** After these failures the same bytes may be accepted a little later. */
const passing: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE'])
/** Statuses that tell the client what is wrong with the bytes. */
const ownFaults: ReadonlySet<number> = new Set([411, 413, 415, 416])

/** The error for an answer that accepts no bytes. `forwarded` is whether the client's own credential was sent. */
function refusal(status: number, headers: IncomingHttpHeaders, body: unknown, forwarded: boolean): Error {
  if (status === 404 || status === 410) {
    return tesseraError('NOT_FOUND', 'The upload has expired at the service: start again with insertVideo.', {
      service: 'videos',
      upstream: { status },
      status: 410,
    })
  }
  const retryAfter = retryAfterSeconds(headers)
  if (status === 409) {
    return tesseraError(
      'CONFLICT',
      'Another request sends bytes to this upload: ask for the offset and continue from there.',
      { service: 'videos', upstream: { status }, retryAfter: retryAfter ?? 1 },
    )
  }
  if (status >= 500) return unavailable(undefined, status, retryAfter)
  const own = readFailure({ status, headers, body, call: callOf(operations.upload, '') })
  const failure: Failure =
    own?.code !== undefined
      ? own
      : ownFaults.has(status)
        ? { code: 'BAD_USER_INPUT', message: 'The video service does not accept these bytes.', retry: false }
        : failureOfStatus('video', { status, ...own, retryAfter, foreign: body === undefined, forwarded })
  const isPassing = passing.has(failure.code)
  return tesseraError(
    failure.code,
    isPassing ? `${failure.message} Ask for the offset and continue from there.` : failure.message,
    {
      service: 'videos',
      upstream: { status, reason: failure.reason },
      retryAfter: failure.retryAfter ?? retryAfter ?? (isPassing ? 1 : undefined),
      // For the client's own faults, the service's status is passed on. Other failures have the status of their
      // code.
      status: ownFaults.has(status) && failure.code === 'BAD_USER_INPUT' ? status : undefined,
    },
  )
}

function unavailable(cause?: unknown, status?: number, retryAfter = 1): Error {
  return tesseraError(
    'UPSTREAM_UNAVAILABLE',
    'The video service broke off: ask for the offset and continue from there.',
    { service: 'videos', retryAfter, cause, upstream: { status } },
  )
}

/** The service's resource, with the id by which the graph knows it. */
export function withGlobalId(video: VideoModel): Record<string, unknown> {
  return { ...video, globalId: toGlobalId('Video', video.id) }
}

const sizeOf = ({ first, last }: Extract<Sent, { kind: 'bytes' }>): number => last - first + 1

/** The headers that say which bytes are sent. The question how many have arrived sends none. */
function lengthHeaders(sent: Sent, total: number): string[] {
  if (sent.kind === 'question') return ['content-range', `bytes */${total}`, 'content-length', '0']
  const length = ['content-length', String(sizeOf(sent))]
  const isWhole = sent.first === 0 && sent.last === total - 1
  return isWhole ? length : [...length, 'content-range', `bytes ${sent.first}-${sent.last}/${total}`]
}

/** The buffers of uploads are collected after this many bytes of all uploads. */
const passed = collectGarbageEvery(8 * 1024 * 1024)

/** `fault` is set if the client sends another number of bytes than its headers say. */
interface Sender {
  fault: Error | undefined
}

/**
 * Passes the bytes on. Their buffers are outside of V8's heap. V8 would let 64 MB of them pile up before it
 * collects, and let the heap grow meanwhile.
 */
async function* passOn(body: Readable, size: number, sender: Sender): AsyncGenerator<Buffer> {
  let came = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    passed(chunk.length)
    came += chunk.length
    if (came > size) break
    yield chunk
  }
  if (came === size) return
  const has = came > size ? 'it has more' : `it has ${came}`
  const message = `The request must have ${size} bytes; ${has}. Ask for the offset and continue from there.`
  sender.fault = tesseraError('BAD_USER_INPUT', message, { service: 'videos' })
  throw sender.fault
}
