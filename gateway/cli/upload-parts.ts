/** Sends the parts of a file to an upload's address, in order. A lost part is repeated, up to a bound. */
import type { ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { cancelledBy } from '../../shared/http/cancellation.ts'
import { sendOnce } from '../../shared/http/client.ts'
import { completeResponse } from '../../shared/http/failure-reason.ts'
import { headerOf } from '../../shared/http/headers.ts'
import { retryAfterSeconds } from '../../shared/http/retry.ts'
import { parsedJson } from '../../shared/json/parse-json.ts'
import { fileFault } from '../../shared/runtime/bounded-file.ts'
import type { UnderWay } from './upload-memory.ts'

export class UploadFailed extends Error {
  /** Whether the upload cannot be continued. */
  readonly isFinal: boolean
  constructor(message: string, isFinal = false) {
    super(message)
    this.isFinal = isFinal
  }
}

export interface FileToSend {
  readonly file: string
  readonly size: number
  /** When it was changed last, in milliseconds since 1970. */
  readonly mtimeMs: number
  readonly contentType: string
}

interface Sending {
  readonly signal: AbortSignal
  progress(done: number, total: number): void
  /** Called before the last part is sent. */
  lastPart(): void
  /** Whether an earlier run has sent it. */
  readonly isLastSent: boolean
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** After this many failures of a part in a row, the command ends. */
const mostTries = 8
const mostPauseMs = 10_000
/** If the service asks for a longer pause, another run has to continue. */
const mostRetryAfterMs = 60_000
const mostAnswerBytes = 1024 * 1024

/** Statuses after which the same part may be accepted. */
const passing: ReadonlySet<number> = new Set([408, 409, 416, 425, 429, 500, 502, 503, 504])
/** Statuses which say that the upload does not exist any more. */
const gone: ReadonlySet<number> = new Set([404, 410])
/** Statuses for a refused credential. Another run may have a better one. */
const refused: ReadonlySet<number> = new Set([401, 403])

interface Answer {
  readonly status: number
  readonly range: string | undefined
  readonly retryAfterMs: number
  readonly text: string
}

/** The bytes of a part. A changed file is refused, because the video would be a mixture of both versions. */
async function readPart(
  { file, size, mtimeMs }: FileToSend,
  part: { start: number; end: number },
): Promise<ReadStream> {
  const handle = await open(file).catch((error: unknown) => {
    throw new UploadFailed(`${file} cannot be read: ${fileFault(error)}`)
  })
  const stats = await handle.stat()
  if (stats.size === size && stats.mtimeMs === mtimeMs) return handle.createReadStream(part)
  await handle.close()
  throw new UploadFailed('the file was changed while it was sent; the same command starts again', true)
}

async function put(
  file: FileToSend,
  url: string,
  range: string,
  signal: AbortSignal,
  part?: { start: number; end: number },
): Promise<Answer> {
  const length = part === undefined ? 0 : part.end - part.start + 1
  const exchanged = await sendOnce(
    url,
    {
      method: 'PUT',
      headers: [
        ...['content-type', file.contentType, 'content-range', range],
        ...['content-length', String(length)],
      ],
      body: part === undefined ? undefined : await readPart(file, part),
      maxBytes: mostAnswerBytes,
    },
    Number.POSITIVE_INFINITY,
    cancelledBy(signal),
  )
  // The status tells what became of the bytes, even if the body is too large to read.
  const { status, headers, body } = exchanged.loss === 'too-large' ? exchanged : completeResponse(exchanged)
  return {
    status,
    range: headerOf(headers, 'range'),
    retryAfterMs: (retryAfterSeconds(headers) ?? 0) * 1000,
    text: body.toString('utf8'),
  }
}

const arrivedBytes = (range: string | undefined): number =>
  Number(/^bytes=0-(\d+)$/.exec(range ?? '')?.[1] ?? -1) + 1

function problemIn(text: string): string {
  const answer = parsedJson(text) as { errors?: readonly { message?: unknown }[] } | null | undefined
  return String(answer?.errors?.[0]?.message ?? 'The server gave no reason.')
}

function videoIn(text: string): { id?: string; globalId?: string } {
  const video = parsedJson(text) as { id?: string; globalId?: string } | undefined
  if (video !== undefined) return video
  throw new UploadFailed(
    'the bytes have arrived, but the response does not name the video; look for it at the service',
  )
}

/** Why no further part is sent; undefined if the same one is tried again. */
function endOf(answer: Answer | undefined, tries: number, isLastSent: boolean): UploadFailed | undefined {
  if (answer !== undefined && gone.has(answer.status))
    return isLastSent
      ? new UploadFailed(
          'the address is no longer known, and all bytes had been sent: check whether the video exists, and use --again if it does not',
        )
      : new UploadFailed(`${problemIn(answer.text)} The same command starts again.`, true)
  if (answer !== undefined && answer.status !== 308 && !passing.has(answer.status))
    return new UploadFailed(problemIn(answer.text), answer.status < 500 && !refused.has(answer.status))
  if (answer !== undefined && answer.retryAfterMs > mostRetryAfterMs)
    return new UploadFailed(
      `${problemIn(answer.text)} The same command continues in ${Math.ceil(answer.retryAfterMs / 1000)} s.`,
    )
  if (tries <= mostTries) return undefined
  if (answer === undefined) return new UploadFailed('the connection breaks repeatedly')
  if (answer.status !== 308) return new UploadFailed(problemIn(answer.text))
  return new UploadFailed(
    'no more bytes arrive, although they are sent; the same command continues from here',
  )
}

/** Sends what is missing. Resolves with the video that the last part made. */
export async function sendParts(
  file: FileToSend,
  { url, chunkSize }: UnderWay,
  sending: Sending,
): Promise<{ id?: string; globalId?: string }> {
  const { signal, pause = (ms, on) => wait(ms, undefined, { signal: on }) } = sending
  const { size } = file
  let { isLastSent } = sending
  let offset: number | undefined
  let most = -1
  let isWhole = false
  for (let tries = 0; ; ) {
    let answer: Answer | undefined
    try {
      if (offset === undefined) answer = await put(file, url, `bytes */${size}`, signal)
      else {
        const end = Math.min(offset + chunkSize, size) - 1
        if (end === size - 1 && !isLastSent) {
          isLastSent = true
          sending.lastPart()
        }
        answer = await put(file, url, `bytes ${offset}-${end}/${size}`, signal, { start: offset, end })
      }
    } catch (error) {
      if (signal.aborted || error instanceof UploadFailed) throw error
    }
    if (answer?.status === 201 || answer?.status === 200) {
      sending.progress(size, size)
      return videoIn(answer.text)
    }
    const arrived = answer?.status === 308 ? arrivedBytes(answer.range) : undefined
    if (arrived !== undefined && arrived >= size) {
      if (isWhole) throw new UploadFailed('all bytes have arrived, but no video is named; ask again later')
      isWhole = true
    }
    if (arrived !== undefined && arrived > most && arrived < size) {
      offset = arrived
      most = arrived
      tries = 0
      sending.progress(arrived, size)
      continue
    }
    tries += 1
    const end = endOf(answer, tries, isLastSent)
    if (end !== undefined) throw end
    offset = arrived !== undefined && arrived < size ? arrived : undefined
    await pause(Math.max(Math.min(250 * 2 ** tries, mostPauseMs), answer?.retryAfterMs ?? 0), signal)
  }
}
