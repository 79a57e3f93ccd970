/**
 * Sends bytes of a remote subgraph's response on as they came, where they already are what the client gets: its fields
 * in its order, and every value as the schema says.
 *
 * The plain way is to parse the response and to write it again, which takes six times as long. It takes over at the
 * first byte that is not expected (white space, an error, a null that must not be, fields in another order). The one
 * thing that is cut out is the type's name, which the gateway itself asks for.
 * `npm run bench -- --only ceiling,tessera-http --operations Q2`; test/gateway/engine/respond/hot/checker.test.ts
 * compares both ways.
 */
import { isUtf8 } from 'node:buffer'
import { type GraphQLLeafType, isEnumType } from 'graphql'
import { anyHolds } from '../../../../contract/graphql/conditions.ts'
import { numberEnd, skipSpace, standsAt, stringEnd, valueEnd } from '../../../../contract/json/bytes.ts'
import { type RawJson, writtenJson } from '../../../../contract/json/raw.ts'
import type { NoteKept } from '../../kept.ts'
import { dataLead } from '../../transport/unparsed.ts'
import type { FieldShape, ObjectShape, Position, ValueShape } from '../tree.ts'
import { Generator } from './generator.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * Where the value that starts at `at` ends; -1 where it is not as it should be. To `cuts` are added the places
 * from and to which the client did not ask for what stands there.
 */
type Check = (bytes: Buffer, at: number, variables: Variables, cuts: number[]) => number

/** The fields of the data, of which each is one JSON value; undefined where that takes parsing. */
export type Checker = (body: Buffer, variables: Variables) => ReadonlyMap<string, RawJson | null> | undefined

const extensionsLead = Buffer.from(',"extensions":')
const typenameLead = Buffer.from('{"__typename":"')
// Each file that runs through bytes names them for itself: V8 looks up what is imported at every use, and this was
// up to 40 % slower with it.
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const closeObject = 0x7d
const minus = 0x2d
const zero = 0x30
const lowerCase = 0x20
const letterE = 0x65
const letterN = 0x6e
const mostInt = 2 ** 31 - 1
const leastInt = -(2 ** 31)
/** Digits without an exponent that make no infinity. */
const surelyFinite = 300
/** Characters that are compared one by one in the code of a function; more of them make a giant of it. */
const mostInline = 2000

export function compileChecker(root: Position, noteKept: NoteKept): Checker {
  const fields = new Map<string, FieldShape & { readonly check: Check }>()
  for (const field of root.for(root.only)?.fields ?? [])
    fields.set(field.key, { ...field, check: new CheckerCode(noteKept).value(field.value, field.nonNull) })

  return (body, variables) => {
    if (!standsAt(body, 0, dataLead) || !isUtf8(body)) return undefined
    const taken = new Map<string, RawJson | null>()
    const cuts: number[] = []
    for (let at = dataLead.length; ; at++) {
      const keyEnd = stringEnd(body, at)
      if (keyEnd === -1 || body[keyEnd] !== colon) return undefined
      const key = body.toString('latin1', at + 1, keyEnd - 1)
      const field = fields.get(key)
      if (field === undefined || !anyHolds(field.conditions, variables)) return undefined
      at = field.check(body, keyEnd + 1, variables, cuts)
      if (at === -1) return undefined
      const isNull = body[keyEnd + 1] === letterN
      taken.set(key, isNull ? null : writtenJson(without(body, keyEnd + 1, at, cuts)))
      cuts.length = 0
      if (body[at] !== comma) return body[at] === closeObject && isEnd(body, at + 1) ? taken : undefined
    }
  }
}

/** Whether nothing comes after the data that the client must get. */
function isEnd(body: Buffer, at: number): boolean {
  let i = at
  if (standsAt(body, i, extensionsLead)) i = valueEnd(body, i + extensionsLead.length)
  return i !== -1 && body[i] === closeObject && skipSpace(body, i + 1) === body.length
}

function without(bytes: Buffer, from: number, to: number, cuts: readonly number[]): Buffer {
  if (cuts.length === 0) return bytes.subarray(from, to)
  const pieces: Buffer[] = []
  let at = from
  for (let i = 0; i < cuts.length; i += 2) {
    pieces.push(bytes.subarray(at, cuts[i]))
    at = cuts[i + 1] as number
  }
  pieces.push(bytes.subarray(at, to))
  return Buffer.concat(pieces)
}

function positionCheck(position: Position, noteKept: NoteKept): Check {
  if (position.only !== undefined) {
    const shape = position.for(position.only)
    return shape === undefined ? nothing : new CheckerCode(noteKept).object(shape)
  }
  const known = new Map<string, { readonly isAsked: boolean; readonly members: Check }>()
  return (bytes, at, variables, cuts) => {
    if (!standsAt(bytes, at, typenameLead)) return -1
    const end = stringEnd(bytes, at + typenameLead.length - 1)
    if (end === -1) return -1
    const name = bytes.toString('latin1', at + typenameLead.length, end - 1)
    let type = known.get(name)
    if (type === undefined) {
      const shape = position.for(name)
      if (shape?.concrete !== true) return -1
      const isAsked = shape.fields[0]?.key === '__typename'
      type = { isAsked, members: new CheckerCode(noteKept).membersOf(shape) }
      known.set(name, type)
    }
    if (type.isAsked) return type.members(bytes, at + 1, variables, cuts)
    const next = bytes[end] === comma ? end + 1 : end
    cuts.push(at + 1, next)
    return type.members(bytes, next, variables, cuts)
  }
}

function leafCheck(type: GraphQLLeafType): Check {
  if (isEnumType(type)) return oneOf(type.getValues().map(({ name }) => `"${name}"`))
  switch (type.name) {
    case 'String':
    case 'ID':
      return stringEnd
    case 'Int':
      return intEnd
    case 'Float':
      return floatEnd
    case 'Boolean':
      return oneOf(['true', 'false'])
    default:
      return anyEnd
  }
}

function oneOf(texts: readonly string[]): Check {
  const expected = texts.map((text) => Buffer.from(text))
  return (bytes, at) => {
    for (const text of expected) if (standsAt(bytes, at, text)) return at + text.length
    return -1
  }
}

/** What stands after it is looked at by the check of what is expected there. */
const intEnd: Check = (bytes, at) => {
  const isNegative = bytes[at] === minus
  const most = isNegative ? -leastInt : mostInt
  const from = isNegative ? at + 1 : at
  if (bytes[from] === zero) return isNegative ? -1 : from + 1
  let value = 0
  let i = from
  for (;;) {
    const digit = (bytes[i] as number) - zero
    if (!(digit >= 0 && digit <= 9)) return i === from ? -1 : i
    value = value * 10 + digit
    if (value > most) return -1
    i++
  }
}

const floatEnd: Check = (bytes, at) => {
  const end = numberEnd(bytes, at)
  if (end - at > surelyFinite) return -1
  for (let i = at; i < end; i++) {
    if (((bytes[i] as number) | lowerCase) !== letterE) continue
    return Number.isFinite(Number(bytes.toString('latin1', at, end))) ? end : -1
  }
  return end
}

/** Whether there may be a null was decided before. */
const anyEnd: Check = (bytes, at) => {
  if (bytes[at] === quote) return stringEnd(bytes, at)
  return bytes[at] === letterN ? -1 : valueEnd(bytes, at)
}

const nothing: Check = () => -1

/** The code of one function. */
class CheckerCode extends Generator<Check> {
  #inline = 0

  value(shape: ValueShape, nonNull: boolean): Check {
    this.#value(shape, nonNull)
    return this.#function()
  }

  object(shape: ObjectShape): Check {
    this.#object(shape)
    return this.#function()
  }

  /** From past the opening brace to past the closing one. */
  membersOf(shape: ObjectShape): Check {
    this.#members(shape)
    return this.#function()
  }

  #function(): Check {
    return this.make('return function check(b, i, v, cuts) {', 'return i;\n}', {})
  }

  #object(shape: ObjectShape): void {
    this.pending += '{'
    this.#members(shape)
  }

  #members(shape: ObjectShape): void {
    this.members(shape, ({ value, nonNull }) => {
      if (value.kind === 'typename' && shape.concrete) this.pending += `"${shape.type}"`
      else this.#value(value, nonNull)
    })
    this.pending += '}'
  }

  #value(shape: ValueShape, nonNull: boolean): void {
    this.flush()
    if (!nonNull) {
      this.line(`if (b[i] === ${letterN}) {`)
      this.pending = 'null'
      this.flush()
      this.line('} else {')
    }
    switch (shape.kind) {
      case 'list':
        this.#list(shape)
        break
      case 'object': {
        const known = this.inPlace(shape.position)
        if (known === undefined) this.#call(positionCheck(shape.position, this.noteKept))
        else this.#object(known)
        break
      }
      case 'leaf':
        this.#call(leafCheck(shape.type))
        break
      case 'typename':
      case 'introspection':
        this.#call(nothing)
    }
    this.flush()
    if (!nonNull) this.line('}')
  }

  #list({ item, itemNonNull }: ValueShape & { kind: 'list' }): void {
    this.pending = '['
    this.flush()
    this.line(`if (b[i] === ${code(']')}) i++; else for (;;) {`)
    this.#value(item, itemNonNull)
    this.line(`if (b[i] === ${comma}) { i++; continue; }`)
    this.pending = ']'
    this.flush()
    this.line('break;')
    this.line('}')
  }

  #call(check: Check): void {
    this.line(`i = ${this.nameOf(check)}(b, i, v, cuts); if (i === -1) return -1;`)
  }

  protected flush(): void {
    const text = this.pending
    if (text === '') return
    this.pending = ''
    this.#inline += text.length
    if (this.#inline > mostInline) {
      this.#call(oneOf([text]))
      return
    }
    const differs = [...text].map((char, k) => `b[i + ${k}] !== ${code(char)}`).join(' || ')
    this.line(`if (${differs}) return -1; i += ${text.length};`)
  }
}

function code(char: string): number {
  return char.charCodeAt(0)
}
