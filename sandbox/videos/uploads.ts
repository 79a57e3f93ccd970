/**
 * Uploads: resumable sessions, `multipart/related`, and plain bodies. Their bytes are counted and hashed as they
 * arrive, and not kept.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { readText } from '../server/http.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import { refuse } from './errors.ts'
import type { Json } from './model.ts'
import { checkParameters, readParts } from './parameters.ts'
import { partNames } from './resources.ts'
import { readResource } from './writes.ts'

/** The size of all chunks but the last is a multiple of this. */
const chunkUnit = 262_144
const mostBytes = 274_877_906_944

function createSession(
  metadata: Json,
  parts: readonly string[],
  contentType: string,
  announced: number | undefined,
  openedAt: number,
) {
  return {
    id: randomBytes(24).toString('base64url'),
    metadata,
    parts,
    contentType,
    announced,
    openedAt,
    hash: createHash('sha256'),
    received: 0,
    total: announced,
    /** The final response, once all bytes have arrived. */
    done: undefined as StandInAnswer | undefined,
    busy: false,
  }
}

type Session = ReturnType<typeof createSession>

/** Refuses other types. `hint` is added to the message. */
function checkMediaType(type: string, hint = ''): void {
  if (/^video\/[\w.+-]+$/.test(type) || type === 'application/octet-stream') return
  refuse(400, 'badContent', `Media type '${type}' is not supported.${hint}`)
}

/** Reads bytes into the session until they end or the connection breaks. */
async function take(raw: IncomingMessage, session: Session, most: number): Promise<number> {
  let taken = 0
  try {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      const bytes = chunk.subarray(0, Math.max(0, most - taken))
      session.hash.update(bytes)
      session.received += bytes.length
      taken += chunk.length
    }
  } catch {
    // The connection broke. The bytes before that have arrived.
  }
  return taken
}

function jsonFrom(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return refuse(400, 'parseError', 'Parse Error')
  }
}

/** The most bytes before the media of a multipart body, including the metadata. */
const mostHeadBytes = 1024 * 1024

/** Creates the video. Returns its resource. */
type Finish = (metadata: Json, parts: readonly string[]) => { readonly id: string; readonly resource: Json }

const sessionMs = 7 * 24 * 3_600_000

export class Uploads {
  readonly #now: () => number
  readonly #finish: Finish
  readonly #sessions = new Map<string, Session>()

  constructor(now: () => number, finish: Finish) {
    this.#now = now
    this.#finish = finish
  }

  /** Opens a session, or accepts the whole upload. `admit` charges for it after the checks. */
  async post(request: StandInRequest, admit: () => void): Promise<StandInAnswer> {
    const onBehalf = ['onBehalfOfContentOwner', 'onBehalfOfContentOwnerChannel']
    checkParameters(request, ['part', 'notifySubscribers', 'stabilize', 'autoLevels', ...onBehalf])
    const parts = readParts(request, partNames)
    switch (request.query.get('uploadType')) {
      case 'resumable':
        return this.#open(request, parts, admit)
      case 'multipart':
        return this.#multipart(request, parts, admit)
      case 'media':
        return this.#plain(request, parts, admit)
      default:
        return refuse(400, 'badRequest', 'Expected uploadType resumable, multipart or media.', {
          location: 'uploadType',
        })
    }
  }

  /** Accepts bytes at the address of a session. */
  async put(request: StandInRequest): Promise<StandInAnswer> {
    const { raw, headers, query } = request
    const session = this.#sessions.get(query.get('upload_id') ?? '')
    if (session === undefined || this.#now() - session.openedAt > sessionMs)
      return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' }
    const asksForProgress = /^bytes \*\/(\d+|\*)$/.test(headers['content-range'] ?? '')
    if (session.done !== undefined || asksForProgress) return session.done ?? this.#progress(session)
    if (session.busy) refuse(409, 'conflict', 'Another request is writing to this session.')
    const range = readRange(headers, session)
    if (range === undefined) {
      refuse(400, 'badRequest', 'Invalid Content-Range.', { location: 'Content-Range' })
    }
    const { first, last, total } = range
    if (first !== session.received || (last !== undefined && last < first - 1))
      refuse(416, 'requestedRangeNotSatisfiable', 'The range does not begin where the last one ended.')
    if (total !== undefined && session.announced !== undefined && total !== session.announced)
      refuse(400, 'badRequest', 'The total differs from what was announced.')
    const isLast = total === undefined ? headers['content-range'] === undefined : last === total - 1
    const length = last === undefined ? undefined : last - first + 1
    if (!isLast && length !== undefined && length % chunkUnit !== 0)
      refuse(400, 'badRequest', `Every chunk but the last must be a multiple of ${chunkUnit} bytes.`)
    session.total = total
    session.busy = true
    const before = session.received
    const taken = await take(raw, session, length ?? mostBytes).finally(() => {
      session.busy = false
    })
    if (length !== undefined && taken > length) {
      return refuse(400, 'badRequest', 'More bytes came than the range says.')
    }
    const whole = length === undefined || session.received === before + length
    return isLast && whole ? this.#complete(request, session) : this.#progress(session)
  }

  #complete(request: StandInRequest, session: Session): StandInAnswer {
    const { id, resource } = this.#finish(session.metadata, session.parts)
    request.recordWrite(id)
    request.recordUpload({
      videoId: id,
      bytes: session.received,
      sha256: session.hash.digest('hex'),
      contentType: session.contentType,
    })
    session.done = { status: 201, body: resource }
    return session.done
  }

  #progress(session: Session): StandInAnswer {
    return {
      status: 308,
      headers: session.received === 0 ? {} : { range: `bytes=0-${session.received - 1}` },
    }
  }

  async #open(request: StandInRequest, parts: readonly string[], admit: () => void): Promise<StandInAnswer> {
    const text = await readText(request.raw)
    request.recordBody(text)
    const metadata = readResource(jsonFrom(text), parts)
    const length = request.headers['x-upload-content-length']
    const type = request.headers['x-upload-content-type'] ?? 'application/octet-stream'
    const announced = length === undefined ? undefined : Number(length)
    if (
      announced !== undefined &&
      !(Number.isSafeInteger(announced) && announced >= 0 && announced <= mostBytes)
    )
      refuse(413, 'uploadTooLarge', 'The file is too large.')
    checkMediaType(String(type), ' Valid media types: [video/*, application/octet-stream]')
    admit()
    const session = createSession(metadata, parts, String(type), announced, this.#now())
    this.#sessions.set(session.id, session)
    const host = request.headers.host ?? '127.0.0.1'
    const query = new URLSearchParams(request.query)
    query.set('upload_id', session.id)
    return { status: 200, headers: { location: `http://${host}${request.path}?${query}` } }
  }

  /** Reads `multipart/related`: metadata first, then the media. */
  async #multipart(
    request: StandInRequest,
    parts: readonly string[],
    admit: () => void,
  ): Promise<StandInAnswer> {
    const boundary = /boundary="?([^";]+)"?/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (boundary === undefined) refuse(400, 'badContent', 'Missing the boundary of the multipart body.')
    const mark = Buffer.from(`\r\n--${boundary}`)
    let head = Buffer.from('\r\n')
    let session: Session | undefined
    let ended = false
    for await (const chunk of request.raw as AsyncIterable<Buffer>) {
      if (ended) continue
      head = Buffer.concat([head, chunk])
      if (session === undefined) {
        const metadataStart = head.indexOf('\r\n\r\n')
        const mediaMark = metadataStart < 0 ? -1 : head.indexOf(mark, metadataStart)
        const mediaStart = mediaMark < 0 ? -1 : head.indexOf('\r\n\r\n', mediaMark)
        if (head.length > mostHeadBytes) refuse(400, 'badContent', 'The metadata are too long.')
        if (mediaStart < 0) continue
        const metadata = readResource(
          jsonFrom(head.subarray(metadataStart + 4, mediaMark).toString('utf8')),
          parts,
        )
        const mediaHead = head.subarray(mediaMark, mediaStart).toString('latin1')
        const type = /content-type:\s*([^\r\n;]+)/i.exec(mediaHead)?.[1]?.trim() ?? 'application/octet-stream'
        checkMediaType(type)
        session = createSession(metadata, parts, type, undefined, this.#now())
        head = head.subarray(mediaStart + 4)
      }
      const end = head.indexOf(mark)
      // Bytes that may be the start of the boundary are held back until more have arrived.
      const safe = end >= 0 ? end : Math.max(0, head.length - mark.length)
      session.hash.update(head.subarray(0, safe))
      session.received += safe
      head = head.subarray(safe)
      ended = end >= 0
    }
    if (session === undefined || !ended)
      refuse(400, 'mediaBodyRequired', 'The request does not include the video content.')
    admit()
    return { ...this.#complete(request, session), status: 200 }
  }

  async #plain(request: StandInRequest, parts: readonly string[], admit: () => void): Promise<StandInAnswer> {
    const type = request.headers['content-type'] ?? 'application/octet-stream'
    checkMediaType(type)
    const session = createSession({}, parts, type, undefined, this.#now())
    await take(request.raw, session, mostBytes)
    if (session.received === 0)
      refuse(400, 'mediaBodyRequired', 'The request does not include the video content.')
    admit()
    return { ...this.#complete(request, session), status: 200 }
  }
}

interface ByteRange {
  readonly first: number
  /** Undefined if the length is unknown. */
  readonly last: number | undefined
  readonly total: number | undefined
}

/** The bytes of a request, by its `Content-Range` or else its length; undefined if the header is malformed. */
function readRange(headers: IncomingHttpHeaders, session: Session): ByteRange | undefined {
  const range = headers['content-range']
  if (range === undefined) {
    const length = headers['content-length']
    const total = length === undefined ? session.announced : Number(length)
    return { first: 0, last: total === undefined ? undefined : total - 1, total }
  }
  const [, from, to, all] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range) ?? []
  if (from === undefined || to === undefined || all === undefined) return undefined
  return { first: Number(from), last: Number(to), total: all === '*' ? session.total : Number(all) }
}
