/**
 * Writes the response's JSON straight from the merged data in one pass, with code that is generated for the
 * operation. It handles only data that match the schema, and leaves everything else to completion.
 *
 * Objects of a known type are written inline. For an interface or union, a function for each type is made when the
 * first object of that type occurs.
 */
import { type GraphQLLeafType, isEnumType } from 'graphql'
import type { NoteBytes } from '../../engine/index.ts'
import type {
  FieldShape,
  ObjectShape,
  ResponsePosition,
  ValueShape,
  WriteResponse,
} from '../../engine/response/index.ts'
import { asByteString, type ByteString, byteString } from '../../shared/json/byte-string.ts'
import { RawJson } from '../../shared/json/raw.ts'
import { Generator } from './generator.ts'

type Variables = Readonly<Record<string, unknown>>
type JsonObject = Readonly<Record<string, unknown>>

/** The JSON of a value that is not null; undefined if the value has the wrong form. */
type Write = (value: unknown, variables: Variables) => ByteString | undefined

type Writer = ReturnType<WriteResponse>

/** The code of an operation is generated when it comes for the second time. */
const usuallyAfter = 2

/** The code is generated in the execution number `after`. */
export function createWriter({ after = usuallyAfter } = {}): WriteResponse {
  return (shape, noteBytes) => {
    let executions = 0
    let write: Writer | undefined
    return (data, variables) => {
      executions += 1
      if (executions < after) return undefined
      write ??= compileWriter(shape(), noteBytes)
      return write(data, variables)
    }
  }
}

/** Fields of the data may be `RawJson`: the response of a subgraph, if the client gets it unchanged. */
export function compileWriter(root: ResponsePosition, noteBytes: NoteBytes): Writer {
  const shape = root.for(root.only)
  return shape === undefined ? nothing : new WriterCode(noteBytes).root(shape)
}

function positionWriter(position: ResponsePosition, noteBytes: NoteBytes): Write {
  if (position.only !== undefined) {
    const shape = position.for(position.only)
    return shape === undefined ? nothing : new WriterCode(noteBytes).object(shape)
  }
  const writers = new Map<unknown, Write>()
  return (value, variables) => {
    const type = (value as JsonObject).__typename
    let write = writers.get(type)
    if (write === undefined) {
      if (type !== undefined && typeof type !== 'string') return undefined
      const shape = position.for(type)
      if (shape === undefined || shape.typeDependent.length > 0) return undefined
      write = new WriterCode(noteBytes).object(shape)
      writers.set(type, write)
    }
    return write(value, variables)
  }
}

const nothing: Write = () => undefined

/** Writes the text between the quotes, for types whose values are always quoted; undefined for other types. */
function textWriter(type: GraphQLLeafType): Write | undefined {
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ name }) => [name, asByteString(name)] as const))
    return (value) => texts.get(value as string)
  }
  return type.name === 'String' ? writeText : type.name === 'ID' ? writeId : undefined
}

function leafWriter(type: GraphQLLeafType): Write {
  switch (type.name) {
    case 'Int':
      return writeInt
    case 'Float':
      return writeFloat
    case 'Boolean':
      return writeBoolean
    default:
      return writeAnything
  }
}

const writeId: Write = (value, variables) =>
  Number.isSafeInteger(value) ? asByteString(String(value)) : writeText(value, variables)

const writeInt: Write = (value) =>
  typeof value === 'number' && (value | 0) === value ? asByteString(String(value)) : undefined

const writeFloat: Write = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? asByteString(String(value)) : undefined

const trueText = asByteString('true')
const falseText = asByteString('false')
const writeBoolean: Write = (value) => (value === true ? trueText : value === false ? falseText : undefined)

const writeAnything: Write = (value, variables) => {
  if (typeof value === 'string') return asByteString(`"${writeText(value, variables)}"`)
  const short = value instanceof RawJson ? value.shortText : undefined
  if (short !== undefined) return short
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : byteString(text)
}

/**
 * Characters that JSON escapes, or that take more than one byte in UTF-8. A string without any is written
 * unchanged.
 */
const special = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/

/** Writes the text between the quotes of a JSON string. */
const writeText: Write = (value) => {
  if (typeof value !== 'string') return undefined
  return asByteString(special.test(value) ? byteString(JSON.stringify(value)).slice(1, -1) : value)
}

/** JSON that is known and not written yet. */
interface Lead {
  readonly text: string
  /** Whether the variable `q` of the code says that a quote must be closed first. */
  readonly mayClose: boolean
}

/**
 * The code of one function. Quotes around a value are written together with the text before and after it, because
 * fewer pieces cost less.
 */
class WriterCode extends Generator<Write> {
  #mayClose = false

  /** Fields of the object may be `RawJson`. */
  root(shape: ObjectShape): Write {
    this.#object(shape, 'data', true)
    return this.#function()
  }

  object(shape: ObjectShape): Write {
    this.#object(shape, 'data')
    return this.#function()
  }

  #function(): Write {
    return this.make("return function write(data, v) {\nlet s = '', y, q = false;", 'return s;\n}', {
      own: Object.hasOwn,
      isArray: Array.isArray,
      RawJson,
    })
  }

  #object(shape: ObjectShape, name: string, mayBeRaw = false): void {
    this.line(`if (typeof ${name} !== 'object' || isArray(${name})) return undefined;`)
    this.pending += '{'
    this.members(shape, (field) => this.#field(shape, field, name, mayBeRaw))
    this.pending += '}'
  }

  #field(shape: ObjectShape, field: FieldShape, parent: string, mayBeRaw: boolean): void {
    if (field.value.kind === 'typename' && shape.concrete) {
      this.pending += `"${shape.type}"`
      return
    }
    const key = JSON.stringify(field.key)
    const value = this.name()
    // A key that every object inherits counts only if the object has its own.
    const guard =
      field.key in Object.prototype ? `own(${parent}, ${key}) ? ${parent}[${key}] : undefined` : ''
    this.line(`const ${value} = ${guard === '' ? `${parent}[${key}]` : guard};`)
    if (mayBeRaw) this.#rawOr(value, writeAnything, () => this.#value(field.value, value, field.nonNull))
    else this.#value(field.value, value, field.nonNull)
  }

  #rawOr(name: string, raw: Write, otherwise: () => void): void {
    const lead = this.#take()
    this.line(`if (${name} instanceof RawJson) {`)
    this.#call(raw, name, lead)
    this.line('} else {')
    this.#put(lead)
    otherwise()
    this.flush()
    this.line('}')
  }

  #value(shape: ValueShape, name: string, nonNull: boolean): void {
    const text = shape.kind === 'leaf' ? textWriter(shape.type) : undefined
    if (nonNull) this.line(`if (${name} == null) return undefined;`)
    else {
      const lead = this.#take()
      const open = text === undefined ? '' : ' q = false;'
      this.line(`if (${name} == null) { s += ${leadCode(lead, 'null')};${open} } else {`)
      this.#put(lead)
    }
    switch (shape.kind) {
      case 'list':
        this.#list(shape, name)
        break
      case 'object': {
        const known = this.inPlace(shape.position)
        if (known === undefined)
          this.#call(positionWriter(shape.position, this.noteBytes), name, this.#take())
        else this.#object(known, name)
        break
      }
      case 'leaf':
        if (text === undefined) this.#call(leafWriter(shape.type), name, this.#take())
        else {
          this.pending += '"'
          this.#call(text, name, this.#take())
        }
        break
      case 'typename':
      case 'introspection':
        this.#call(nothing, name, this.#take())
    }
    if (text === undefined) {
      if (nonNull) return
      this.flush()
      this.line('}')
    } else if (nonNull) this.pending = '"'
    else {
      this.line('q = true; }')
      this.#mayClose = true
    }
  }

  #list(shape: ValueShape & { kind: 'list' }, name: string): void {
    const index = this.name()
    const item = this.name()
    this.line(`if (!isArray(${name})) return undefined;`)
    this.pending += '['
    this.flush()
    this.line(`for (let ${index} = 0; ${index} < ${name}.length; ${index}++) {`)
    this.line(`const ${item} = ${name}[${index}];`)
    this.line(`if (${index} > 0) s += ',';`)
    this.#value(shape.item, item, shape.itemNonNull)
    this.flush()
    this.line('}')
    this.pending = ']'
  }

  #call(write: Write, name: string, lead: Lead): void {
    const before = leadCode(lead)
    const sum = before === '' ? '' : `${before} + `
    this.line(`y = ${this.nameOf(write)}(${name}, v); if (y === undefined) return undefined; s += ${sum}y;`)
  }

  #take(): Lead {
    const lead = { text: this.pending, mayClose: this.#mayClose }
    this.#put({ text: '', mayClose: false })
    return lead
  }

  #put({ text, mayClose }: Lead): void {
    this.pending = text
    this.#mayClose = mayClose
  }

  protected flush(): void {
    const code = leadCode(this.#take())
    if (code !== '') this.line(`s += ${code};`)
  }
}

function leadCode({ text, mayClose }: Lead, more = ''): string {
  const whole = text + more
  if (mayClose) return `(q ? ${JSON.stringify(`"${whole}`)} : ${JSON.stringify(whole)})`
  return whole === '' ? '' : JSON.stringify(whole)
}
