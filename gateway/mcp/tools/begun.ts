/** What goes on after a change was made. */

/** Work that goes on: an operation of the agent service by its name, or an upload by its address. */
export interface Begun {
  readonly kind: 'operation' | 'upload'
  readonly name: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What a change of our own graph has begun and what goes on. Undefined if nothing does, if it is more than one thing, or
 * if the document has not asked for what tells it.
 */
export function begunBy(data: Fields): Begun | undefined {
  const [begun, ...others] = Object.values(data).flatMap((payload): readonly Begun[] => {
    if (!isFields(payload)) return []
    const { operation, upload } = payload
    if (isFields(operation) && operation.done === false && typeof operation.name === 'string')
      return [{ kind: 'operation', name: operation.name }]
    if (isFields(upload) && typeof upload.url === 'string') return [{ kind: 'upload', name: upload.url }]
    return []
  })
  return others.length === 0 ? begun : undefined
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
