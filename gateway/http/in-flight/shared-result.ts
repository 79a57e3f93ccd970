/** The result of an operation that several requests wait for: its bytes are made once for all of them. */
import { bytesOfJson, type JsonText } from '../../../contract/json/raw.ts'
import type { JsonResult } from '../../engine/index.ts'
import { responseBody } from '../../engine/index.ts'

/** In front of the data in a body of nothing else. */
const leadBytes = '{"data":'.length

export class SharedResult implements JsonResult {
  readonly data: JsonText
  readonly errors: JsonResult['errors']
  readonly extensions: JsonResult['extensions']
  /** The whole body of a response, where it has nothing but the data. */
  readonly body: readonly Buffer[]
  readonly isPlain: boolean

  constructor(data: JsonText, { errors, extensions }: JsonResult) {
    const whole = bytesOfJson(responseBody({ data }))
    this.body = [whole]
    this.data = [whole.subarray(leadBytes, -1)]
    this.errors = errors
    this.extensions = extensions
    this.isPlain = errors === undefined && extensions === undefined
  }
}
