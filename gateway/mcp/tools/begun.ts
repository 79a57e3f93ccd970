/** What goes on after a change was made. */
import { isObject } from '../../../shared/json/is-object.ts'

/** Work that goes on: an operation of the agent service by its name, or an upload by its address. */
export interface Begun {
  readonly kind: 'operation' | 'upload'
  readonly name: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What a change of our own graph has begun and what goes on. Undefined if nothing does, if the change has anything else
 * to tell, or if the document has not asked for what tells it.
 */
export function begunBy(data: Fields): Begun | undefined {
  const [payload, ...others] = Object.values(data).filter(isObject)
  if (payload === undefined || others.length > 0) return undefined
  const { operation, upload } = payload
  if (isObject(operation) && operation.done === false && typeof operation.name === 'string')
    return { kind: 'operation', name: operation.name }
  if (isObject(upload) && typeof upload.url === 'string') return { kind: 'upload', name: upload.url }
  return undefined
}
