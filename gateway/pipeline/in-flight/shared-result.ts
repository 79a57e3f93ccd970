/** The result of an operation that several requests wait for: its bytes are made once for all of them. */

import { dataForMany, type JsonResult, responseBody } from '../../../engine/index.ts'
import type { JsonText } from '../../../shared/json/raw.ts'

export class SharedResult implements JsonResult {
  readonly data: JsonText
  readonly errors: JsonResult['errors']
  readonly extensions: JsonResult['extensions']
  /** The whole body of a response, if it has nothing but the data. */
  readonly body: JsonText
  readonly isPlain: boolean

  constructor(data: JsonText, { errors, extensions }: JsonResult) {
    this.data = dataForMany(data)
    this.body = responseBody({ data: this.data })
    this.errors = errors
    this.extensions = extensions
    this.isPlain = errors === undefined && extensions === undefined
  }
}
