/**
 * Sends a file to an upload address of the graph by `PUT`, in parts. If a part fails, it continues after what has
 * arrived. It uses `XMLHttpRequest`, because `fetch` reports no progress of uploads.
 */
import { isObject } from '../../../shared/json/is-object.ts'
import { errorsIn, jsonFrom, objectOf, textOf } from '../json.ts'

export interface UploadOptions {
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
/** How often a part is sent before giving up. */
const mostTries = 3
/** A part counts as lost if nothing has been sent or received of it for so long. */
const quietMs = 120_000

/** `from` is how many bytes have arrived before; undefined asks for it. */
export async function sendFile(options: UploadOptions, from: number | undefined = 0): Promise<UploadOutcome> {
  const { file, url, signal, onProgress } = options
  const chunk = options.chunkSize ?? defaultChunk
  let at: number | undefined = from
  for (let tries = 0; ; ) {
    if (signal.aborted) return { kind: 'stopped' }
    const end = at === undefined ? undefined : Math.min(file.size, at + chunk)
    const range = at === undefined || end === undefined ? '*' : `${at}-${end - 1}`
    let reply: Reply
    try {
      const part = at === undefined ? undefined : file.slice(at, end, file.type)
      reply = await put(url, part, `bytes ${range}/${file.size}`, signal, (sent) =>
        onProgress((at ?? 0) + sent),
      )
    } catch {
      if (signal.aborted) return { kind: 'stopped' }
      tries += 1
      if (tries === mostTries) return { kind: 'failed', reason: 'The connection was lost.', canResume: true }
      at = undefined
      continue
    }
    if (reply.status === 200 || reply.status === 201) {
      onProgress(file.size)
      return { kind: 'done', answer: jsonFrom(reply.text) }
    }
    if (reply.status !== 308) return failed(reply)
    const arrived = Number(/-(\d+)$/.exec(reply.range ?? '')?.[1] ?? -1) + 1
    if (at !== undefined && arrived <= at) {
      tries += 1
      if (tries === mostTries)
        return { kind: 'failed', reason: 'The service accepts no more of the file.', canResume: true }
    } else tries = 0
    at = arrived
    onProgress(arrived)
  }
}

function failed({ status, text }: Reply): UploadOutcome {
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
): Promise<Reply> {
  return new Promise((resolve, reject) => {
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
    request.onerror = () => reject(new Error('lost'))
    request.onabort = () => reject(new Error('stopped'))
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
