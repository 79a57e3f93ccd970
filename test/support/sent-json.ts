/** JSON as it is sent, as the text that it is. */
import type { JsonText } from '../../shared/json/raw.ts'

export function textOf(sent: JsonText): string {
  const pieces = typeof sent === 'string' ? [sent] : sent
  return Buffer.concat(
    pieces.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)),
  ).toString()
}
