/**
 * A response of parts of JSON, `multipart/mixed` (RFC 2046, section 5.1). The delimiter follows each part at once,
 * because clients take a part for complete when they see it. Well-formed JSON cannot contain the delimiter, which
 * begins with a line break and two dashes.
 */
import type { ServerResponse } from 'node:http'
import { asByteString } from '../../../shared/json/byte-string.ts'
import type { JsonText } from '../../../shared/json/raw.ts'
import { Stream, type StreamOptions } from './stream.ts'

const boundary = 'graphql'
const opening = asByteString(`--${boundary}`)
const partHead = asByteString('\r\ncontent-type: application/json; charset=utf-8\r\n\r\n')
const delimiter = asByteString(`\r\n--${boundary}`)
const closing = asByteString('--\r\n')
const nothing = asByteString('')
const emptyPart = asByteString(`${partHead}{}${delimiter}`)

interface MultipartOptions extends StreamOptions {
  /** The parameters of the content type except the boundary, such as `subscriptionSpec=1.0`. */
  readonly parameters?: string | undefined
}

export function createMultipart(response: ServerResponse, options: MultipartOptions) {
  const { parameters } = options
  const type = `multipart/mixed;boundary="${boundary}"${parameters === undefined ? '' : `;${parameters}`}`
  const stream = new Stream(response, type, options, emptyPart)
  /** The delimiter before the next part. */
  let before = opening
  if (options.headWaits !== true) {
    stream.write(opening)
    before = nothing
  }
  const write = (...pieces: readonly JsonText[]): boolean => {
    const head = before
    before = nothing
    return stream.write(head, ...pieces)
  }
  return {
    stream,
    /** Sends one part; false as in `Stream.write`. */
    part: (json: JsonText): boolean => write(partHead, json, delimiter),
    /** Ends the response, after a last part if there is one. */
    end(last?: JsonText): void {
      if (last === undefined) write(closing)
      else write(partHead, last, delimiter, closing)
      stream.end()
    },
  }
}
