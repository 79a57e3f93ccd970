/** Reads what a call of the message service gives: ids in paths, parameters and bodies, and page tokens. */
import type { Fault } from './errors.ts'
import type { Message } from './model.ts'

const maxIds = 100

function isId(text: string): boolean {
  return /^[0-9]{1,19}$/.test(text)
}

export function faultsOfId(name: string, value: string): Fault[] {
  const message = `The \`${name}\` query parameter value [${value}] is not valid`
  return isId(value) ? [] : [{ parameters: { [name]: [value] }, message }]
}

export function faultsOfIds(ids: readonly string[]): Fault[] {
  if (ids.length === 0 || (ids.length === 1 && ids[0] === '')) {
    return [{ parameters: { ids: [] }, message: 'The `ids` query parameter can not be empty' }]
  }
  const faults = ids.flatMap((id) => faultsOfId('ids', id))
  if (ids.length > maxIds) {
    faults.push({
      parameters: { ids: [ids.join(',')] },
      message: `The number of values in the \`ids\` query parameter list [${ids.length}] is not between 1 and ${maxIds}`,
    })
  }
  return faults
}

/** The id in the body of a like, which must be exactly `{ tweet_id }`. */
export function messageIdFrom(body: unknown): { id: string; faults: readonly Fault[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const message = 'Requests with bodies must have content-type of application/json and be an object.'
    return { id: '', faults: [{ parameters: {}, message }] }
  }
  const faults: Fault[] = Object.keys(body)
    .filter((key) => key !== 'tweet_id')
    .map((key) => ({
      parameters: { [key]: [] },
      message: `$.${key}: is not defined in the schema and the schema does not allow additional properties`,
    }))
  const id: unknown = 'tweet_id' in body ? body.tweet_id : undefined
  if (typeof id === 'string' && isId(id)) return { id, faults }
  const problem =
    id === undefined
      ? '$.tweet_id: is missing but it is required'
      : '$.tweet_id: does not match the regex pattern ^[0-9]{1,19}$'
  return { id: '', faults: [...faults, { parameters: { tweet_id: [] }, message: problem }] }
}

interface PagePosition {
  readonly offset: number
  readonly backward: boolean
  readonly page?: number
}

/** An opaque token that is valid only for its own list. */
export function tokenFor(list: string, { offset, backward, page = 0 }: PagePosition): string {
  return Buffer.from(`${backward ? 'b' : 'f'}.${offset}.${page}.${list}`).toString('base64url')
}

/** The position of a token; undefined if it belongs to another list. */
export function positionFrom(token: string, list: string): PagePosition | undefined {
  const [, way, offset, , of] =
    /^([bf])\.([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (way === undefined || of !== list) return undefined
  return { offset: Number(offset), backward: way === 'b' }
}

/** Sorts by the last digits of the ids, or in reverse: the result never has the order of the request. */
export function inOwnOrder(messages: readonly Message[]): Message[] {
  const key = ({ id }: Message) => [...id].reverse().join('')
  const sorted = [...messages].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const isAsRequested = sorted.every((message, index) => message === messages[index])
  return isAsRequested ? sorted.reverse() : sorted
}
