/**
 * Uploads a video. A session is opened at the service, and the bytes go through our own address. Resolvers and HTTP
 * servers use only this module.
 */

import { badInput, tesseraError } from '../../../shared/errors.ts'
import type { SubgraphRequest } from '../../../shared/request.ts'
import type { UploadExchange, UploadResponse } from '../../../shared/subgraph.ts'
import { malformed } from '../../kit/json.ts'
import type { ServiceOptions } from '../../kit/subgraph.ts'
import { wrongArgument } from '../../kit/wrong-argument.ts'
import type { NewUpload, VideosClient } from '../client.ts'
import type { VideoModel } from '../model.ts'
import { createCapabilities } from './capability.ts'
import { chunkUnit, readSent } from './range.ts'
import { createRelay, type Progress, withGlobalId } from './relay.ts'

export interface UploadOptions {
  /** Encrypts addresses. All replicas have the same one. */
  readonly secret: string
  /** The address at which clients reach us, without a path. */
  readonly publicUrl: () => string
}

export interface UploadTarget {
  readonly url: string
  readonly method: string
  readonly expiresAt: string
  readonly chunkSize: number
}

export interface UploadState {
  readonly receivedBytes: string
  readonly totalBytes: string
  readonly complete: boolean
  readonly video: VideoModel | null
}

export type Uploads = ReturnType<typeof createUploads>

/** The largest file that the service accepts. */
const mostBytes = 274_877_906_944
/** The recommended size of chunks: few requests, and little to send again. */
const chunkSize = 32 * chunkUnit
const lifetimeMs = 24 * 3_600_000
const path = '/upload/'

/** Checks the type and length of the file before a session is opened. Returns the length. */
export function checkFile(contentType: string, contentLength: string): number {
  if (!/^(video\/[A-Za-z0-9.+-]+|application\/octet-stream)$/.test(contentType)) {
    const message =
      '`input.contentType` must be a video type, such as video/mp4, or application/octet-stream.'
    throw badInput(message, { argument: 'input.contentType' })
  }
  const length = Number(contentLength)
  if (!Number.isSafeInteger(length) || length < 1 || length > mostBytes) {
    throw wrongArgument('input.contentLength', `must be 1 to ${mostBytes} bytes, not ${contentLength}.`)
  }
  return length
}

export function createUploads(
  client: VideosClient,
  options: UploadOptions & Pick<ServiceOptions, 'baseUrl' | 'credential'>,
) {
  const capabilities = createCapabilities(options.secret)
  const relay = createRelay(options)
  const forwarded = options.credential.kind === 'forward' ? options.credential.header : undefined

  /** The path of the session's address. The address may have another path than the service, but no other host. */
  function sessionAddress(location: unknown): string {
    if (typeof location === 'string' && URL.canParse(location, options.baseUrl)) {
      const address = new URL(location, options.baseUrl)
      if (address.origin === new URL(options.baseUrl).origin) return address.href
    }
    throw malformed('videos', 'The video service did not say where to send the bytes.')
  }

  return {
    async open(upload: NewUpload, request: SubgraphRequest): Promise<UploadTarget> {
      const { contentType, contentLength } = upload
      const address = sessionAddress(await client.openUpload(upload, request))
      const own = forwarded === undefined ? undefined : request.header(forwarded)
      const expiresAt = new Date(Date.now() + lifetimeMs)
      const proof = own === undefined ? [] : ['authorization', own]
      const token = await capabilities.seal({ address, contentType, contentLength, proof }, expiresAt)
      return {
        url: `${options.publicUrl()}${path}${token}`,
        method: 'PUT',
        expiresAt: expiresAt.toISOString(),
        chunkSize,
      }
    },

    async state(url: string, request: SubgraphRequest): Promise<UploadState> {
      const at = url.lastIndexOf(path)
      if (at < 0) throw wrongArgument('url', 'must be an address that insertVideo returned.')
      const session = await capabilities.open(url.slice(at + path.length))
      const progress = await relay.send(session, { kind: 'question' }, undefined, request)
      const total = String(session.contentLength)
      return {
        receivedBytes: progress.complete ? total : String(progress.receivedBytes),
        totalBytes: total,
        complete: progress.complete,
        video: progress.complete ? progress.video : null,
      }
    },

    /** Serves a PUT to the address of an upload. */
    async serve({ token, headers, body }: UploadExchange, request: SubgraphRequest): Promise<UploadResponse> {
      const session = await capabilities.open(token)
      // Browsers send parameters with what they record: `video/webm;codecs=vp8`.
      const sentType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
      if (sentType !== undefined && sentType !== session.contentType.toLowerCase()) {
        const message = `Content-Type must be ${session.contentType}, as it was announced.`
        throw tesseraError('BAD_USER_INPUT', message, { service: 'videos', status: 415 })
      }
      const sent = readSent(
        { contentRange: headers['content-range'], contentLength: headers['content-length'] },
        session.contentLength,
      )
      return answerFrom(await relay.send(session, sent, body, request))
    },

    close: relay.close,
  }
}

function answerFrom(progress: Progress): UploadResponse {
  if (!progress.complete) {
    const { receivedBytes } = progress
    return {
      status: 308,
      headers: receivedBytes === 0 ? {} : { range: `bytes=0-${receivedBytes - 1}` },
      body: undefined,
    }
  }
  const video = withGlobalId(progress.video)
  return { status: 201, headers: { 'tessera-global-id': String(video.globalId) }, body: video }
}
