/** Positions in lists that grow. A position is opaque, and valid for one list. */
import { hash } from 'node:crypto'
import { parsedJson } from '../../../shared/json/parse-json.ts'

const digestLength = 12
const longest = 8000

/** The position after the item of the first id. The other ids are those before it, the newest first. */
export function writeListPosition(list: string, ids: readonly string[]): string {
  const text = JSON.stringify(ids)
  return Buffer.from(digestOf(list, text) + text, 'utf8').toString('base64url')
}

/** The ids that a position names; undefined if the position belongs to another list. */
export function readListPosition(list: string, position: string): readonly string[] | undefined {
  if (position.length > longest || !/^[\w-]+$/.test(position)) return undefined
  const decoded = Buffer.from(position, 'base64url').toString('utf8')
  const text = decoded.slice(digestLength)
  if (decoded.slice(0, digestLength) !== digestOf(list, text)) return undefined
  const ids = parsedJson(text)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : undefined
}

function digestOf(list: string, text: string): string {
  return hash('sha256', `live ${list}\n${text}`, 'base64url').slice(0, digestLength)
}
