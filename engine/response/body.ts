/** Writes the body of a response from a result whose data is JSON already. */

import { asByteString, type ByteString, jsonText } from '../../shared/json/byte-string.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'

interface SerializedResult {
  readonly data?: JsonText | null | undefined
  readonly errors?: readonly { readonly message: string }[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

export function responseBody({ data, errors, extensions }: SerializedResult): JsonText {
  if (errors === undefined && extensions === undefined && typeof data === 'object' && data !== null) {
    const whole = bodies.get(data)
    if (whole !== undefined) return whole
  }
  const members: string[] = []
  if (errors !== undefined && errors.length > 0) members.push(`"errors":${jsonText(errors)}`)
  if (extensions !== undefined) members.push(`"extensions":${jsonText(extensions)}`)
  const others = members.length === 0 ? '' : `${members.join()},`
  if (data === undefined) return asByteString(`{${members.join()}}`)
  if (data === null || typeof data === 'string') return asByteString(`{${others}"data":${data ?? 'null'}}`)
  return [asByteString(`{${others}"data":`), ...data, asByteString('}')]
}

const lead = '{"data":'
/** Bodies with only `data`. */
const bodies = new WeakMap<readonly (ByteString | Buffer)[], readonly Buffer[]>()

/** Data for several responses. A body with only this data is written once. */
export function dataForMany(data: JsonText): readonly (ByteString | Buffer)[] {
  if (typeof data === 'object' && bodies.has(data)) return data
  const whole = bytesOfJson(responseBody({ data }))
  const within = [whole.subarray(lead.length, -1)]
  bodies.set(within, [whole])
  return within
}
