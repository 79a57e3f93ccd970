/**
 * Sends a file to an upload address of the graph by `PUT`, in parts. If a part is lost, or the server fails, it
 * continues after what has arrived. It uses `XMLHttpRequest`, because `fetch` reports no progress of uploads.
 */
import { isObject } from '../../../shared/json/is-object.ts'
import { delay } from '../delay.ts'
import { errorsIn, jsonFrom, objectOf, textOf } from '../json.ts'

interface UploadOptions {
  readonly url: string
  readonly file: Blob
  /** The size of a part in bytes. The service wants multiples of 256 KiB. */
  readonly chunkSize?: number | undefined
  readonly signal: AbortSignal
  readonly onProgress: (sent: number) => void
}

export type UploadOutcome =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string; readonly canResume: boolean }
  | { readonly kind: 'stopped' }

interface Reply {
  readonly status: number
  readonly text: string
  readonly range: string | null
}

const defaultChunk = 8 * 1024 * 1024
/** How often something is sent without anything new arriving before giving up. */
const mostTries = 3
/** The pause before the second try; the next one is twice as long. */
const pauseMs = 1000
/** A part counts as lost if nothing has been sent or received of it for so long. */
const quietMs = 120_000

/** `from` is how many bytes have arrived before; undefined asks for it. */
export async function sendFile(options: UploadOptions, from: number | undefined): Promise<UploadOutcome> {
  const { file, signal, onProgress } = options
  let at: number | undefined = from
  let most = from ?? -1
  for (let tries = 0; ; ) {
    const reply = signal.aborted ? undefined : await sendPart(options, at)
    if (signal.aborted) return { kind: 'stopped' }
    if (reply?.status === 200 || reply?.status === 201) {
      onProgress(file.size)
      return { kind: 'done', answer: jsonFrom(reply.text) }
    }
    if (reply !== undefined && isRefusal(reply)) return failed(reply)
    const arrived = reply?.status === 308 ? arrivedIn(reply) : undefined
    if (arrived !== undefined && arrived > most) {
      most = arrived
      tries = 0
    } else if (arrived === undefined || at !== undefined) {
      tries += 1
      if (tries === mostTries) return failed(reply)
      await delay(tries * pauseMs, signal)
    }
    at = arrived
    if (arrived !== undefined) onProgress(arrived)
  }
}

/** Sends the part that begins at `at`, or asks what has arrived. Undefined if the connection is lost. */
function sendPart(
  { file, url, chunkSize = defaultChunk, signal, onProgress }: UploadOptions,
  at: number | undefined,
): Promise<Reply | undefined> {
  if (at === undefined) return put(url, undefined, `bytes */${file.size}`, signal, () => {})
  const end = Math.min(file.size, at + chunkSize)
  const part = file.slice(at, end, file.type)
  return put(url, part, `bytes ${at}-${end - 1}/${file.size}`, signal, (sent) => onProgress(at + sent))
}

/** A reply that sending once more would not change. */
const isRefusal = ({ status }: Reply): boolean => status !== 308 && status < 500

const arrivedIn = ({ range }: Reply): number => Number(/-(\d+)$/.exec(range ?? '')?.[1] ?? -1) + 1

function failed(reply: Reply | undefined): UploadOutcome {
  if (reply === undefined) return { kind: 'failed', reason: 'The connection was lost.', canResume: true }
  const { status, text } = reply
  if (status === 308)
    return { kind: 'failed', reason: 'The service accepts no more of the file.', canResume: true }
  const [error] = errorsIn(jsonFrom(text))
  const reason = textOf(error?.message) ?? `The upload was refused (status ${status}).`
  return { kind: 'failed', reason, canResume: [401, 403, 429].includes(status) || status >= 500 }
}

function put(
  url: string,
  body: Blob | undefined,
  range: string,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('content-range', range)
    if (body !== undefined)
      request.setRequestHeader('content-type', body.type === '' ? 'application/octet-stream' : body.type)
    const stop = (): void => request.abort()
    let quiet = setTimeout(stop, quietMs)
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(quiet)
      quiet = setTimeout(stop, quietMs)
      onProgress(loaded)
    }
    request.onloadend = () => {
      clearTimeout(quiet)
      signal.removeEventListener('abort', stop)
    }
    request.onload = () => {
      resolve({
        status: request.status,
        text: request.responseText,
        range: request.getResponseHeader('range'),
      })
    }
    request.onerror = () => resolve(undefined)
    request.onabort = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
    request.send(body ?? null)
  })
}

export interface UploadAddress {
  readonly url: string
  readonly chunkSize: number | undefined
}

/**
 * An upload address in a response's data: an object whose `url` is below `/upload/`. The file is sent only to the
 * same path of our own gateway (`base`), whatever host the address names.
 */
export function uploadAddressIn(answer: unknown, base: string): UploadAddress | undefined {
  const walk = (value: unknown, depth: number): UploadAddress | undefined => {
    if (!isObject(value) || depth > 6) return undefined
    const { url, chunkSize } = value
    const [, token] = /^https?:\/\/[^?#]*\/upload\/([\w.-]+)$/.exec(textOf(url) ?? '') ?? []
    if (token !== undefined)
      return {
        url: new URL(`upload/${token}`, base).href,
        chunkSize: typeof chunkSize === 'number' && chunkSize > 0 ? chunkSize : undefined,
      }
    for (const each of Object.values(value)) {
      const found = walk(each, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  return walk(objectOf(answer).data, 0)
}
