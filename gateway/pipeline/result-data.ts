/** The data of a result as objects, whatever the executor made: objects, or JSON in one piece or several. */
import { parseExactly } from '../../shared/json/exact-number.ts'
import { bytesOfJson, type JsonText } from '../../shared/json/raw.ts'

export function dataOf(data: unknown): Readonly<Record<string, unknown>> | null {
  if (data === undefined || data === null) return null
  if (typeof data !== 'string' && !Array.isArray(data)) return data as Readonly<Record<string, unknown>>
  return parsed(bytesOfJson(data as JsonText))
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  return parseExactly(bytes.toString('utf8')) as Readonly<Record<string, unknown>> | null
}
