/** A result whose data is JSON already, as the body of a response. */

import { asByteString, jsonText } from '../../contract/hot/byte-string.ts'
import type { JsonText } from '../../contract/json/raw.ts'

export interface ResponseParts {
  readonly data?: JsonText | null | undefined
  readonly errors?: readonly { readonly message: string }[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export function responseBody({ data, errors, extensions }: ResponseParts): JsonText {
  const parts: string[] = []
  if (errors !== undefined && errors.length > 0) parts.push(`"errors":${jsonText(errors)}`)
  if (extensions !== undefined) parts.push(`"extensions":${jsonText(extensions)}`)
  const others = parts.length === 0 ? '' : `${parts.join()},`
  if (data === undefined) return asByteString(`{${parts.join()}}`)
  if (data === null || typeof data === 'string') return asByteString(`{${others}"data":${data ?? 'null'}}`)
  return [asByteString(`{${others}"data":`), ...data, asByteString('}')]
}
