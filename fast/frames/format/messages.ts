/** What stands in the payloads. Each function reads a frame with its head; undefined if it is no such message. */
import { headBytes } from './protocol.ts'

export interface DocumentMessage {
  readonly name: string | undefined
  readonly text: string
}

export interface RequestMessage {
  readonly document: number
  /** Its headers (`head.ts`). */
  readonly head: string
  /** JSON. */
  readonly variables: string
}

export interface ResponseMessage {
  readonly status: number
  /** Bytes of the whole body. */
  readonly length: number
  readonly head: string
  /** As much of the body as stands in this frame. */
  readonly part: Buffer
}

/** The length of the name, before name and text. */
export const documentFixed = 2
/** Number of the document and length of the headers, before headers and variables. */
export const requestFixed = 8
/** Status, length of the body and length of the headers, before headers and body. */
export const responseFixed = 10

export function documentIn(frame: Buffer): DocumentMessage | undefined {
  const at = headBytes + documentFixed
  if (frame.length < at) return undefined
  const nameEnd = at + frame.readUInt16BE(headBytes)
  if (nameEnd > frame.length) return undefined
  const name = frame.toString('latin1', at, nameEnd)
  return { name: name === '' ? undefined : name, text: frame.toString('utf8', nameEnd) }
}

export function requestIn(frame: Buffer): RequestMessage | undefined {
  const at = headBytes + requestFixed
  if (frame.length < at) return undefined
  const headEnd = at + frame.readUInt32BE(headBytes + 4)
  if (headEnd > frame.length) return undefined
  return {
    document: frame.readUInt32BE(headBytes),
    head: frame.toString('latin1', at, headEnd),
    variables: frame.toString('utf8', headEnd),
  }
}

export function responseIn(frame: Buffer): ResponseMessage | undefined {
  const at = headBytes + responseFixed
  if (frame.length < at) return undefined
  const headEnd = at + frame.readUInt32BE(headBytes + 6)
  const length = frame.readUInt32BE(headBytes + 2)
  if (headEnd > frame.length || frame.length - headEnd > length) return undefined
  return {
    status: frame.readUInt16BE(headBytes),
    length,
    head: frame.toString('latin1', at, headEnd),
    part: frame.subarray(headEnd),
  }
}
