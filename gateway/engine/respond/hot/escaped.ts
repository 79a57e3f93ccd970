/**
 * Keeps how the last texts are written in JSON, in a table of fixed size: where entities stand at many places of an
 * answer, or popular ones in many answers, the same long texts are written again and again. A text that is kept costs a
 * comparison; one that is not costs three characters more to look at than without.
 *
 * The plain way is `escapePlainly`. For the query of the federated comparison (11 reviews at 200 places of 87 kB) the
 * engine took 408 us so, and takes 293 (November 2026). `npm run bench -- --engine`;
 * test/gateway/engine/respond/hot/escaped compares both ways.
 */
import { asByteString, type ByteString, byteString } from '../../../../contract/hot/byte-string.ts'
import { runsPlainly } from '../../../../contract/hot/switch.ts'

/** Half a megabyte at most, with what is written of each. */
const places = 256
const longest = 1024

const texts: string[] = new Array(places).fill('')
const written: ByteString[] = new Array(places).fill(asByteString(''))

/** What stands between the quotes of a JSON string. */
export function escaped(value: string): ByteString {
  const { length } = value
  if (length > longest || length < 16 || runsPlainly('escaped')) return escapePlainly(value)
  const place =
    (length +
      7 * value.charCodeAt(length >> 1) +
      31 * value.charCodeAt(7) +
      57 * value.charCodeAt(length - 2)) %
    places
  if (texts[place] === value) return written[place] as ByteString
  const text = escapePlainly(value)
  texts[place] = value
  written[place] = text
  return text
}

export function escapePlainly(value: string): ByteString {
  return asByteString(byteString(JSON.stringify(value)).slice(1, -1))
}
