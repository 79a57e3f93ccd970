/**
 * Writes frames to a connection. Frames of one turn of the event loop are collected in one buffer and sent in one
 * write, at most eight of them. A system call costs more than the rest of a small frame, but the other side has
 * nothing to do until the first frame arrives. Long bodies take turns part by part, and stop while the other side
 * reads too slowly. Short responses do not wait for them.
 */
import { type JsonText, lengthOfJson } from '../../../shared/json/raw.ts'
import { documentFixed, requestFixed, responseFixed } from './messages.ts'
import { type FrameType, frameTypes, headBytes, mostPayloadBytes, sealBytes } from './protocol.ts'
import type { Seal } from './seal.ts'

/** The part of a socket that is used. */
interface FrameSocket {
  readonly writable: boolean
  readonly writableLength: number
  write(bytes: Buffer): boolean
}

const bufferBytes = 64 * 1024
/**
 * After this many frames they are sent before the turn of the event loop ends. Without a bound, the subgraph
 * service would wait for all requests of a large turn, and cores would be idle meanwhile. With a smaller one,
 * system calls cost more CPU time.
 */
const mostFramesWaiting = 8
/** Longer bodies are sent in parts. */
const mostWholeBytes = 48 * 1024
const partBytes = 32 * 1024
/** Long bodies stop while more than this waits in the socket. */
const highWaterBytes = 256 * 1024

/** A body that is not completely written. */
interface LongBody {
  readonly exchange: number
  readonly pieces: readonly (string | Buffer)[]
  readonly written: () => void
  /** The next byte, as its piece and the position in it. */
  piece: number
  offset: number
}

export class FrameWriter {
  readonly #socket: FrameSocket
  readonly #seal: Seal | undefined
  #bytes = Buffer.allocUnsafeSlow(bufferBytes)
  /** Where the first frame begins. Sealed frames have their own head before it. */
  readonly #first: number
  #end: number
  #long: LongBody[] = []
  #due = false
  /** Frames that are not written yet. */
  #waiting = 0

  /** With `seal`, the frames of each write are sealed. */
  constructor(socket: FrameSocket, seal?: Seal) {
    this.#socket = socket
    this.#seal = seal
    this.#first = seal === undefined ? 0 : headBytes
    this.#end = this.#first
  }

  /** Returns false if the document does not fit into a frame. Nothing is written then. `request` does the same. */
  document(number: number, name: string | undefined, text: string): boolean {
    const start = this.#begin(documentFixed + (name?.length ?? 0) + text.length * 3)
    if (start === undefined) return false
    const bytes = this.#bytes
    const nameLength = bytes.write(name ?? '', this.#end + documentFixed, 'latin1')
    bytes.writeUInt16BE(nameLength, this.#end)
    this.#end += documentFixed + nameLength
    this.#end += bytes.write(text, this.#end)
    return this.#finish(start, frameTypes.document, number)
  }

  request(exchange: number, document: number, head: string, variables: string): boolean {
    const start = this.#begin(requestFixed + head.length + variables.length * 3)
    if (start === undefined) return false
    const bytes = this.#bytes
    bytes.writeUInt32BE(document, this.#end)
    bytes.writeUInt32BE(head.length, this.#end + 4)
    this.#end += requestFixed
    this.#end += bytes.write(head, this.#end, 'latin1')
    this.#end += bytes.write(variables, this.#end)
    return this.#finish(start, frameTypes.request, exchange)
  }

  /** Returns whether all of the body has been passed to the socket. `written` is called then or later. */
  response(exchange: number, status: number, head: string, body: JsonText, written: () => void): boolean {
    const length = lengthOfJson(body)
    const whole = head.length + length <= mostWholeBytes
    const start = this.#begin(responseFixed + head.length + (whole ? length : 0))
    if (start === undefined) throw new Error('the headers of a response are too long')
    const bytes = this.#bytes
    bytes.writeUInt16BE(status, this.#end)
    bytes.writeUInt32BE(length, this.#end + 2)
    bytes.writeUInt32BE(head.length, this.#end + 6)
    this.#end += responseFixed
    this.#end += bytes.write(head, this.#end, 'latin1')
    const pieces = typeof body === 'string' ? [body] : body
    if (whole) for (const piece of pieces) this.#end += copied(piece, 0, piece.length, bytes, this.#end)
    else this.#long.push({ exchange, pieces, written, piece: 0, offset: 0 })
    this.#finish(start, frameTypes.response, exchange)
    if (whole) written()
    return whole
  }

  cancel(exchange: number): void {
    this.#empty(frameTypes.cancel, exchange)
  }

  leave(): void {
    this.#empty(frameTypes.leave, 0)
  }

  /** Omits the unwritten rest of this exchange's body. */
  drop(exchange: number): void {
    if (this.#long.length > 0) this.#long = this.#long.filter((body) => body.exchange !== exchange)
  }

  /** Writes what is waiting. It must also be called when the socket has drained. */
  flush(): void {
    this.#due = true
    while (this.#long.length > 0 && this.#socket.writable && this.#socket.writableLength < highWaterBytes)
      this.#part()
    this.#due = false
    this.#write()
  }

  #part(): void {
    const body = this.#long.shift()
    if (body === undefined) return
    // A part never needs more than the buffer has.
    const start = this.#begin(partBytes) ?? 0
    let left = partBytes
    for (
      let piece = body.pieces[body.piece];
      left > 0 && piece !== undefined;
      piece = body.pieces[body.piece]
    ) {
      const to = Math.min(piece.length, body.offset + left)
      this.#end += copied(piece, body.offset, to, this.#bytes, this.#end)
      left -= to - body.offset
      if (to === piece.length) {
        body.piece += 1
        body.offset = 0
      } else body.offset = to
    }
    this.#finish(start, frameTypes.data, body.exchange)
    if (body.piece < body.pieces.length) this.#long.push(body)
    else body.written()
  }

  #empty(type: FrameType, exchange: number): void {
    const start = this.#begin(0)
    if (start !== undefined) this.#finish(start, type, exchange)
  }

  /**
   * Makes room for a payload of at most this many bytes. Returns where the frame begins; undefined if it certainly
   * does not fit.
   */
  #begin(most: number): number | undefined {
    if (most / 3 > mostPayloadBytes) return undefined
    const needed = headBytes + most + sealBytes
    // So sealed frames are never longer than the buffer, unless a single frame is.
    if (this.#end + needed > bufferBytes) {
      this.#write()
      const all = this.#end + needed
      if (all > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(all)
    }
    const start = this.#end
    this.#end += headBytes
    return start
  }

  #finish(start: number, type: FrameType, exchange: number): boolean {
    const length = this.#end - start - headBytes
    if (length > mostPayloadBytes) {
      this.#end = start
      return false
    }
    this.#head(start, length, type, exchange)
    this.#waiting += 1
    if (this.#waiting === mostFramesWaiting) this.#write()
    if (!this.#due) {
      this.#due = true
      setImmediate(flushOf, this)
    }
    return true
  }

  #head(at: number, length: number, type: FrameType, exchange: number): void {
    const bytes = this.#bytes
    bytes.writeUInt32BE(length, at)
    bytes[at + 4] = type
    bytes.writeUInt32BE(exchange, at + 5)
  }

  #write(): void {
    this.#waiting = 0
    if (this.#end === this.#first) return
    if (this.#seal !== undefined) {
      this.#head(0, this.#end - headBytes + sealBytes, frameTypes.sealed, 0)
      const seal = this.#seal(this.#bytes.subarray(0, this.#end))
      this.#end += this.#bytes.write(seal, this.#end, 'latin1')
    }
    const bytes = this.#bytes.subarray(0, this.#end)
    this.#end = this.#first
    if (!this.#socket.writable) return
    this.#socket.write(bytes)
    // A buffer that the system has taken may be overwritten.
    if (this.#socket.writableLength > 0 || this.#bytes.length > bufferBytes)
      this.#bytes = Buffer.allocUnsafeSlow(bufferBytes)
  }
}

const flushOf = (writer: FrameWriter): void => writer.flush()

/** A string has one character for each byte. */
function copied(piece: string | Buffer, from: number, end: number, to: Buffer, at: number): number {
  if (typeof piece !== 'string') return piece.copy(to, at, from, end)
  return to.write(from === 0 && end === piece.length ? piece : piece.slice(from, end), at, 'latin1')
}
