/** Changes inputs: bytes, words of the parser, numbers at the limits of their types, pieces of other inputs. */
import type { Random } from './random.ts'

/** The material for changes. */
export interface Material {
  readonly random: Random
  readonly words: readonly Buffer[]
  /** Other inputs, from which pieces are taken. */
  readonly others: readonly Buffer[]
  readonly longest: number
}

type Operator = (input: Buffer, material: Material) => Buffer

const numbers = [
  ...['0', '-0', '-1', '1', '127', '128', '255', '256', '65535', '65536', '2147483647', '2147483648'],
  ...['4294967295', '4294967296', '9007199254740991', '9007199254740993', '9223372036854775808', '1e308'],
  ...['1e309', '-1e999', '5e-324', '1e-400', '0.1', '00', '0x10', 'NaN', 'Infinity', '1'.repeat(400)],
].map((text) => Buffer.from(text))

/** Texts that often break parsers: white space, quotes, control characters, boundaries of UTF-8 and UTF-16. */
const pieces = [
  ...[
    '\0',
    '\t',
    '\n',
    '\r\n',
    ' ',
    '"',
    "'",
    '\\',
    '%',
    '%00',
    '%ff',
    '+',
    ',',
    ';',
    ':',
    '=',
    '/',
    '..',
    '?',
    '#',
  ],
  ...[
    '&',
    '@',
    '*',
    '-',
    '_',
    '.',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '\\u0000',
    '\\ud800',
    '\u007f',
    '\u0085',
  ],
  ...[
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\ufffd',
    'é',
    'ß',
    'İ',
    '😀',
    '__proto__',
    'constructor',
    'toString',
    'null',
  ],
  ...['true', 'false', '{}', '[]', '""', '-', '--', '//'],
].map((text) => Buffer.from(text))
const brokenUtf8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]].map(
  (bytes) => Buffer.from(bytes),
)

const between = ({ below }: Random, length: number): [number, number] => {
  const start = below(length + 1)
  return [start, start + below(Math.min(length - start, below(4) === 0 ? length : 8) + 1)]
}
const replaced = (input: Buffer, start: number, end: number, by: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, start), by, input.subarray(end)])

const flipBit: Operator = (input, { random }) => {
  if (input.length === 0) return input
  const copy = Buffer.from(input)
  const at = random.below(copy.length)
  copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
  return copy
}
const setByte: Operator = (input, { random }) => {
  if (input.length === 0) return input
  const copy = Buffer.from(input)
  copy[random.below(copy.length)] = random.below(256)
  return copy
}
const insertByte: Operator = (input, { random }) => {
  const at = random.below(input.length + 1)
  return replaced(
    input,
    at,
    at,
    Buffer.from([random.below(2) === 0 ? random.below(256) : 32 + random.below(95)]),
  )
}
const remove: Operator = (input, { random }) => {
  const [start, end] = between(random, input.length)
  return replaced(input, start, end, Buffer.alloc(0))
}
/** It makes lists and nesting grow. */
const repeat: Operator = (input, { random, longest }) => {
  const [start, end] = between(random, input.length)
  const piece = input.subarray(start, end)
  const most = Math.floor((longest - input.length) / Math.max(1, piece.length))
  const times = Math.min(most, random.below(8) === 0 ? random.below(1000) : 1 + random.below(4))
  return replaced(input, end, end, Buffer.concat(Array<Buffer>(Math.max(0, times)).fill(piece)))
}
const move: Operator = (input, { random }) => {
  const [start, end] = between(random, input.length)
  const at = random.below(input.length + 1)
  return replaced(
    input,
    at,
    random.below(2) === 0 ? at : Math.min(input.length, at + end - start),
    input.subarray(start, end),
  )
}
const putted =
  (choose: (material: Material) => Buffer): Operator =>
  (input, material) => {
    const { random } = material
    const by = choose(material)
    const [start, end] = between(random, input.length)
    const over = Math.min(input.length, start + by.length)
    return replaced(input, start, random.one([start, start, end, over]), by)
  }
const putWord = putted(({ random, words }) => (words.length === 0 ? random.one(pieces) : random.one(words)))
const putPiece = putted(({ random }) => random.one(pieces))
const putBroken = putted(({ random }) => random.one(brokenUtf8))
const putOfOther = putted(({ random, others }) => {
  if (others.length === 0) return random.one(pieces)
  const other = random.one(others)
  const [start, end] = between(random, other.length)
  return other.subarray(start, end)
})
/** Joins the first half of one input and the second half of another. */
const splice: Operator = (input, { random, others }) => {
  if (others.length === 0) return input
  const other = random.one(others)
  return Buffer.concat([
    input.subarray(0, random.below(input.length + 1)),
    other.subarray(random.below(other.length + 1)),
  ])
}
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
const putNumber: Operator = (input, { random }) => {
  if (input.length === 0) return random.one(numbers)
  let start = random.below(input.length)
  while (start < input.length && !isDigit(input[start])) start += 1
  let end = start
  while (isDigit(input[end])) end += 1
  return replaced(input, start, end, random.one(numbers))
}
/** Adds quotes around a word, or removes those of a piece, so that strings end too early or too late. */
const changeCase: Operator = (input, { random }) => {
  const [start, end] = between(random, input.length)
  const piece = input.toString('latin1', start, end)
  const changed = piece === piece.toLowerCase() ? piece.toUpperCase() : piece.toLowerCase()
  return replaced(input, start, end, Buffer.from(changed, 'latin1'))
}

const operators: readonly Operator[] = [
  ...[flipBit, setByte, insertByte, remove, repeat, move, putWord, putWord, putWord],
  ...[putPiece, putPiece, putBroken, putOfOther, splice, putNumber, changeCase],
]

/** Another input, made by one to eight changes. */
export function mutated(input: Buffer, material: Material): Buffer {
  const { random, longest } = material
  let changed = input
  for (let left = 1 << random.below(4); left > 0; left -= 1) {
    const next = random.one(operators)(changed, material)
    if (next.length <= longest) changed = next
  }
  return changed
}
