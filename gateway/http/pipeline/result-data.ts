/** The data of a result as objects, whatever the executor made: objects, or JSON in one piece or several. */
import { parseExactly } from '../../../contract/json/exact-number.ts'

export function dataOf(data: unknown): Readonly<Record<string, unknown>> | null {
  if (data === undefined || data === null) return null
  if (typeof data === 'string') return parsed(Buffer.from(data, 'latin1'))
  if (!Array.isArray(data)) return data as Readonly<Record<string, unknown>>
  const pieces = data as readonly (string | Buffer)[]
  return parsed(
    Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece))),
  )
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  return parseExactly(bytes.toString('utf8')) as Readonly<Record<string, unknown>> | null
}
