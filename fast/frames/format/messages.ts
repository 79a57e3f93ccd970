/** Reads payloads. Each function takes a frame with its head, and returns undefined if the payload is malformed. */
import { headBytes } from './protocol.ts'

export interface DocumentMessage {
  readonly name: string | undefined
  readonly text: string
}

export interface RequestMessage {
  readonly document: number
  readonly head: string
  /** As JSON. */
  readonly variables: string
}

interface ResponseMessage {
  readonly status: number
  /** The length of the whole body in bytes. */
  readonly length: number
  readonly head: string
  /** The beginning of the body, as far as it fits into this frame. */
  readonly part: Buffer
}

/** The fixed part: the length of the name. Name and text follow. */
export const documentFixed = 2
/** The fixed part: the number of the document and the length of the headers. Headers and variables follow. */
export const requestFixed = 8
/** The fixed part: status, length of the body and length of the headers. Headers and body follow. */
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
