/**
 * JSON in UTF-8 as a string of one byte a letter, where that makes a difference: V8 gives each object of more than
 * 128 KiB pages of its own, which the system has to bring and to take back. A single letter beyond Latin-1 makes the
 * text of 70 kB such an object, because all of its letters then take two bytes. Written as an escape, it says the
 * same to a parser.
 *
 * The plain way is `bytes.toString('utf8')`. To parse an answer of 70 kB with a dash in each text took 500 us so, and
 * takes 460 (November 2026; 3 % of the CPU time of Q2). `npm run bench -- --only ceiling,tessera --operations Q2`.
 */
import { isUtf8 } from 'node:buffer'
import { runsPlainly } from '../../../../contract/hot/switch.ts'

/** What V8 keeps with all others, without the object's head. */
const mostBytes = 128 * 1024 - 64
/** With more letters that need an escape than one in so many bytes, the escapes cost what they save. */
const sparse = 50

const backslash = 0x5c
const firstBeyondAscii = 0x80
const firstBeyondLatin1 = 0x100
const firstBeyondPlane = 0x10000
/** The uppermost bit of each byte of a word. */
const upperBits = 0x80808080

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** To be parsed, not to be read. */
export function latin1Json(bytes: Buffer): string {
  const { length } = bytes
  const unfit = length < mostBytes / 2 || length > mostBytes
  if (unfit || runsPlainly('latin1-json') || !isUtf8(bytes)) return bytes.toString('utf8')
  const text = bytes.toString('latin1')
  const next = finderOf(bytes)
  let narrow = ''
  let done = 0
  let left = length / sparse
  for (let i = next(0); i < length; i = next(i)) {
    left -= 1
    // A mark at the beginning is no JSON, and after a backslash an escape would be another one.
    if (left < 0 || i === 0 || bytes[i - 1] === backslash) return bytes.toString('utf8')
    narrow += text.slice(done, i)
    const lead = bytes[i] as number
    const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    let point = lead & (0xff >> (size + 1))
    for (let k = 1; k < size; k++) point = (point << 6) | ((bytes[i + k] as number) & 0x3f)
    narrow += letter(point)
    i += size
    done = i
  }
  return narrow + text.slice(done)
}

function letter(point: number): string {
  if (point < firstBeyondLatin1) return String.fromCharCode(point)
  if (point < firstBeyondPlane) return escapeOf(point)
  return escapeOf(0xd7c0 + (point >> 10)) + escapeOf(0xdc00 + (point & 0x3ff))
}

function escapeOf(unit: number): string {
  return `\\u${hex[unit >> 8]}${hex[unit & 0xff]}`
}

/** Finds the first byte from a place on that is not ASCII, by four at a time; the length where there is none. */
function finderOf(bytes: Buffer): (from: number) => number {
  const { length } = bytes
  const head = -bytes.byteOffset & 3
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (length - head) >> 2)
  return (from) => {
    let i = from
    for (; i < length && (i < head || ((i - head) & 3) !== 0); i++)
      if ((bytes[i] as number) >= firstBeyondAscii) return i
    let word = (i - head) >> 2
    while (word < words.length && ((words[word] as number) & upperBits) === 0) word++
    i = Math.max(i, (word << 2) + head)
    while (i < length && (bytes[i] as number) < firstBeyondAscii) i++
    return i
  }
}
